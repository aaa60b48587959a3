import { ArrowDown, Plus, X } from 'lucide-react'
import { Button, IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { NameInput } from './name-input'
import { SecretInput } from './secret-input'

/** The values that a node can use. */
export interface Scope {
  variables: string[]
  nodes: string[]
  /** The names of the groups, where they are not the variables and nodes of a workflow. */
  words?: { variables: string; nodes: string }
  /** Whether editing is disabled. */
  locked: boolean
}

/** Selects a node or an input variable. */
export function SourceSelect({ value, onChange, scope, label, id, optional }: {
  value: string
  onChange: (name: string) => void
  scope: Scope
  /** The accessible name, unless `id` links it to a label. */
  label?: string
  id?: string
  optional?: boolean
}) {
  const known = value === '' || scope.variables.includes(value) || scope.nodes.includes(value)
  return (
    <Select id={id} aria-label={label} aria-invalid={!known} className="w-full" disabled={scope.locked} value={value} onChange={(event) => onChange(event.target.value)}>
      {(optional || value === '') && <option value="">{optional ? 'none' : 'Choose…'}</option>}
      {!known && <option value={value}>{value} (missing)</option>}
      {scope.variables.length > 0 && (
        <optgroup label={scope.words?.variables ?? 'Input variables'}>
          {scope.variables.map((name) => <option key={name}>{name}</option>)}
        </optgroup>
      )}
      {scope.nodes.length > 0 && (
        <optgroup label={scope.words?.nodes ?? 'Nodes'}>
          {scope.nodes.map((name) => <option key={name}>{name}</option>)}
        </optgroup>
      )}
    </Select>
  )
}

/** Selects several values in order. */
export function SourceList({ value, onChange, scope, label }: { value: string[]; onChange: (names: string[]) => void; scope: Scope; label: string }) {
  const unused = [...scope.nodes, ...scope.variables].find((name) => !value.includes(name)) ?? scope.nodes[0] ?? scope.variables[0] ?? ''
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-1.5">
      {value.map((name, index) => (
        <div key={index} className="flex items-center gap-1">
          <SourceSelect label={`${label} ${index + 1}`} value={name} scope={scope} onChange={(next) => onChange(value.with(index, next))} />
          {index < value.length - 1 && (
            <IconButton small label={`Move ${name} down`} disabled={scope.locked} onClick={() => onChange(value.with(index, value[index + 1] ?? name).with(index + 1, name))}>
              <ArrowDown />
            </IconButton>
          )}
          <IconButton small label={`Remove ${name}`} disabled={scope.locked} onClick={() => onChange(value.toSpliced(index, 1))}>
            <X />
          </IconButton>
        </div>
      ))}
      {!scope.locked && (
        <Button small look="quiet" className="self-start" onClick={() => onChange([...value, unused])}>
          <Plus /> Add value
        </Button>
      )}
    </div>
  )
}

/** Pairs of a name and a source or text. */
export function PairList({ value, onChange, scope, label, plain, secret, nameLabel = 'Name' }: {
  value: Record<string, string>
  onChange: (pairs: Record<string, string>) => void
  scope: Scope
  label: string
  /** Whether the right side is a text instead of a source. */
  plain?: boolean
  /** Whether the text under a name is a credential. */
  secret?: (name: string) => boolean
  nameLabel?: string
}) {
  const pairs = Object.entries(value)
  const set = (index: number, pair: [string, string]) => onChange(Object.fromEntries(pairs.with(index, pair)))
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-1.5">
      {pairs.map(([name, right], index) => (
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] items-center gap-1">
          <NameInput label={`${nameLabel} ${index + 1}`} locked={scope.locked} value={name} taken={Object.keys(value)} onRename={(next) => set(index, [next, right])} />
          {plain && secret?.(name) ? (
            <SecretInput aria-label={`Value of ${name}`} disabled={scope.locked} value={right} onValue={(value) => set(index, [name, value])} />
          ) : plain ? (
            <Input aria-label={`Value of ${name}`} disabled={scope.locked} value={right} onChange={(event) => set(index, [name, event.target.value])} />
          ) : (
            <SourceSelect label={`Source of ${name}`} value={right} scope={scope} onChange={(next) => set(index, [name, next])} />
          )}
          <IconButton small label={`Remove ${name}`} disabled={scope.locked} onClick={() => onChange(Object.fromEntries(pairs.toSpliced(index, 1)))}>
            <X />
          </IconButton>
        </div>
      ))}
      {!scope.locked && (
        <Button small look="quiet" className="self-start" disabled={'' in value} onClick={() => onChange({ ...value, '': '' })}>
          <Plus /> Add
        </Button>
      )}
    </div>
  )
}
