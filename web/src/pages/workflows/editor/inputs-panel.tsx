import { Plus, SquareArrowRightEnter, X } from 'lucide-react'
import { NameInput } from '@/step/name-input'
import { Button, IconButton } from '@/ui/button'
import { Input } from '@/ui/field'
import { freeName, removeVariable, rename, setVariable } from '../model/edit'
import { needsOf } from '../model/references'
import { PanelHead } from '../panel'
import type { Draft } from './use-draft'

const knownTypes = ['string', 'number', 'boolean', 'object', 'array']

/** The input variables of a run. */
export function InputsPanel({ draft, locked, onClose }: { draft: Draft; locked: boolean; onClose: () => void }) {
  const { definition } = draft
  const variables = Object.entries(definition.variables)
  const taken = [...definition.nodes.map((node) => node.name), ...Object.keys(definition.variables)]
  return (
    <>
      <PanelHead title="Input variables" about="The values that a run starts with. Nodes use them by name." icon={<SquareArrowRightEnter className="size-4 text-accent-ink" aria-hidden />} onClose={onClose} />
      <div className="flex flex-1 flex-col gap-2 overflow-y-auto p-4">
        {variables.length === 0 && <p className="text-[13px] text-faint">No input variables yet.</p>}
        <datalist id="workflow-variable-types">
          {knownTypes.map((type) => <option key={type} value={type} />)}
        </datalist>
        {variables.map(([name, type]) => {
          const users = definition.nodes.filter((node) => needsOf(node).includes(name)).length
          return (
            <div key={name} className="grid grid-cols-[1fr_7rem_auto] items-center gap-2">
              <NameInput label={`Name of ${name}`} locked={locked} value={name} taken={taken} onRename={(next) => draft.change((old) => rename(old, name, next))} />
              <Input aria-label={`Type of ${name}`} list="workflow-variable-types" disabled={locked} value={type} onChange={(event) => draft.change((old) => setVariable(old, name, event.target.value), `variable ${name}`)} />
              <IconButton small disabled={locked} label={`Remove ${name}`} onClick={() => draft.change((old) => removeVariable(old, name))}>
                <X />
              </IconButton>
              <p className="col-span-3 -mt-1 text-xs text-faint">{users === 0 ? 'Not used by any node' : `Used by ${users} ${users === 1 ? 'node' : 'nodes'}`}</p>
            </div>
          )
        })}
        {!locked && (
          <Button small className="self-start" onClick={() => draft.change((old) => setVariable(old, freeName(old, 'input'), 'string'))}>
            <Plus /> Add variable
          </Button>
        )}
      </div>
    </>
  )
}
