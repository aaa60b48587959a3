import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, IconButton } from '@/ui/button'
import { Input, Select, Switch } from '@/ui/field'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { knownParameters, parameterKind, readParameter } from '../parameters'
import { omit } from '../types'
import { JsonField } from './json-field'

type Parameters = Record<string, unknown>

/** The parameters of a model call, one per line. */
export function ParameterList({ value, onChange, readOnly, hidden = [] }: {
  value: Parameters
  onChange: (value: Parameters) => void
  readOnly?: boolean
  /** Parameters that are edited elsewhere. */
  hidden?: string[]
}) {
  const [naming, setNaming] = useState(false)
  const names = Object.keys(value).filter((name) => !hidden.includes(name))
  const missing = knownParameters.filter(({ name }) => !(name in value))
  return (
    <div className="flex flex-col gap-2">
      {names.length === 0 && <p className="text-[13px] text-faint">Uses the provider’s defaults.</p>}
      {names.map((name) => (
        <ParameterRow key={name} name={name} value={value[name]} readOnly={readOnly} onChange={(next) => onChange({ ...value, [name]: next })} onRemove={() => onChange(omit(value, name))} />
      ))}
      {naming && <NewParameter taken={Object.keys(value)} onCancel={() => setNaming(false)} onAdd={(name, next) => { onChange({ ...value, [name]: next }); setNaming(false) }} />}
      {!readOnly && !naming && (
        <div>
          <Menu align="start" trigger={<Button small look="quiet"><Plus /> Add parameter</Button>}>
            <MenuLabel>Common parameters</MenuLabel>
            {missing.map((one) => (
              <MenuItem key={one.name} onSelect={() => onChange({ ...value, [one.name]: one.start })}>
                <span>{one.name}</span> <span className="ml-auto pl-4 text-xs text-faint">{one.about}</span>
              </MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem onSelect={() => setNaming(true)}>Custom…</MenuItem>
          </Menu>
        </div>
      )}
    </div>
  )
}

function ParameterRow({ name, value, onChange, onRemove, readOnly }: { name: string; value: unknown; onChange: (value: unknown) => void; onRemove: () => void; readOnly?: boolean }) {
  const id = useId()
  const known = knownParameters.find((one) => one.name === name)
  const kind = parameterKind(name, value)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-1 gap-y-1">
      <div className={kind === 'json' ? 'flex flex-col gap-1' : 'grid grid-cols-[minmax(0,1fr)_7rem] items-center gap-2'}>
        <label htmlFor={id} title={known?.about} className="truncate font-mono text-xs text-dim">{name}</label>
        {kind === 'number' && (
          <Input id={id} type="number" className="h-7" min={known?.min} max={known?.max} step={known?.step ?? 'any'} readOnly={readOnly} value={String(value)} onChange={(event) => event.target.value !== '' && onChange(Number(event.target.value))} />
        )}
        {kind === 'flag' && <Switch label={value === true ? 'on' : 'off'} checked={value === true} onChange={onChange} disabled={readOnly} />}
        {kind === 'choice' && (
          <Select id={id} className="h-7" disabled={readOnly} value={String(value)} onChange={(event) => onChange(event.target.value)}>
            {known?.choices?.map((choice) => <option key={choice}>{choice}</option>)}
          </Select>
        )}
        {kind === 'text' && <Input id={id} className="h-7" readOnly={readOnly} value={String(value)} onChange={(event) => onChange(event.target.value)} />}
        {kind === 'json' && <JsonField value={value} onChange={onChange} label={name} readOnly={readOnly} />}
      </div>
      {!readOnly && <IconButton small label={`Remove ${name}`} onClick={onRemove}><X /></IconButton>}
    </div>
  )
}

function NewParameter({ taken, onAdd, onCancel }: { taken: string[]; onAdd: (name: string, value: unknown) => void; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [typed, setTyped] = useState('')
  const usable = name.trim() !== '' && !taken.includes(name.trim())
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Input autoFocus aria-label="Parameter name" placeholder="name" className="h-7 w-32 flex-1" value={name} onChange={(event) => setName(event.target.value)} />
      <Input aria-label="Parameter value" placeholder="value" className="h-7 w-24 flex-1" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <Button small disabled={!usable} onClick={() => onAdd(name.trim(), readParameter(typed))}>Add</Button>
      <Button small look="quiet" onClick={onCancel}>Cancel</Button>
    </div>
  )
}
