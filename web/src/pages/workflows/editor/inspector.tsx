import { CircleAlert, Trash2 } from 'lucide-react'
import { plural } from '@/lib/format'
import { ConfigurationEditor } from '@/step/configuration'
import { NameInput } from '@/step/name-input'
import { initialConfiguration, nodeTypes, typeLabel, typesIn } from '@/step/node-types'
import type { Scope } from '@/step/source-select'
import { Button } from '@/ui/button'
import { Field, Select, Switch } from '@/ui/field'
import type { NodeResult } from '../data'
import { NodeIcon } from '../graph/icons'
import type { Node } from '../model/definition'
import { changeConfiguration, changeNode, removeNode, rename } from '../model/edit'
import { downstreamOf } from '../model/references'
import { PanelHead } from '../panel'
import { Dependencies } from './dependencies'
import { NodeOutcome } from './result'
import type { Draft } from './use-draft'

const offered = typesIn('workflows')

/** A node: its result in a run, and its settings. */
export function NodeInspector({ draft, node, result, trace, locked, onClose, onRenamed }: {
  draft: Draft
  node: Node
  result: NodeResult | null
  /** The trace of the shown run, once it has ended. */
  trace: string | null
  locked: boolean
  onClose: () => void
  onRenamed: (name: string) => void
}) {
  const { definition } = draft
  const { name } = node
  const below = downstreamOf(definition, name)
  const scope: Scope = { variables: Object.keys(definition.variables), nodes: definition.nodes.map((one) => one.name).filter((one) => !below.has(one)), locked }
  const problems = draft.problems.filter((problem) => problem.node === name)
  return (
    <>
      <PanelHead title={name} about={nodeTypes[node.node_type]?.doc} icon={<NodeIcon type={node.node_type} className="size-4 text-accent-ink" />} onClose={onClose} />
      <div className="flex flex-1 flex-col gap-5 overflow-y-auto p-4">
        {problems.map((problem) => (
          <p key={problem.message} role="alert" className="flex gap-2 rounded-md bg-bad-soft p-2.5 text-[13px] text-bad">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {problem.message}
          </p>
        ))}
        {result !== null && <NodeOutcome result={result} node={node} trace={trace} />}
        <div className="grid grid-cols-2 gap-3">
          <Field label="Name">
            {({ id }) => (
              <NameInput
                id={id}
                locked={locked}
                value={name}
                taken={[...definition.nodes.map((one) => one.name), ...Object.keys(definition.variables)]}
                onRename={(next) => {
                  draft.change((old) => rename(old, name, next))
                  onRenamed(next)
                }}
              />
            )}
          </Field>
          <Field label="Type">
            {(control) => (
              <Select {...control} disabled={locked} value={node.node_type} onChange={(event) => draft.change((old) => changeType(old, node, event.target.value, scope))}>
                {!offered.some(({ name }) => name === node.node_type) && <option value={node.node_type}>{typeLabel(node.node_type)}</option>}
                {offered.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
              </Select>
            )}
          </Field>
        </div>
        <Switch label="Output node: its value is a result of the workflow" disabled={locked} checked={node.is_output_node} onChange={(on) => draft.change((old) => changeNode(old, name, { is_output_node: on }))} />
        {mayRetry(node.node_type) && (
          <Field label="If it fails" hint={node.retries > 0 ? 'Retries start after 1, 2, 4, … seconds. What a failed attempt has already caused may happen again.' : undefined}>
            {(control) => (
              <Select {...control} disabled={locked} value={node.retries} onChange={(event) => draft.change((old) => changeNode(old, name, { retries: Number(event.target.value) }))}>
                <option value={0}>The node fails</option>
                {[1, 2, 3, 4, 5].map((retries) => <option key={retries} value={retries}>Retry up to {plural(retries, 'time')}</option>)}
              </Select>
            )}
          </Field>
        )}
        <ConfigurationEditor
          key={node.node_type}
          type={node.node_type}
          configuration={node.configuration}
          scope={scope}
          onChange={(configuration) => draft.change((old) => changeConfiguration(old, name, configuration), `configuration ${name}`)}
        />
        <Dependencies definition={definition} node={node} scope={scope} onEdit={draft.change} />
        {!locked && (
          <Button
            small
            look="danger"
            className="self-start"
            onClick={() => {
              draft.change((old) => removeNode(old, name))
              onClose()
            }}
          >
            <Trash2 /> Remove node
          </Button>
        )}
      </div>
    </>
  )
}

/** Reports whether nodes of a type may succeed when they run again with the same values. */
const mayRetry = (type: string) => (nodeTypes[type]?.work ?? 'inline') !== 'inline'

// A different type has a different configuration; the dependencies stay.
function changeType(definition: Draft['definition'], node: Node, type: string, scope: Scope) {
  const source = node.dependencies.find((name) => scope.nodes.includes(name) || scope.variables.includes(name)) ?? ''
  return changeNode(definition, node.name, { node_type: type, configuration: initialConfiguration(type, source), retries: mayRetry(type) ? node.retries : 0 })
}
