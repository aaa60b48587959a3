import { X } from 'lucide-react'
import { useState } from 'react'
import { isObject } from '@/lib/json'
import { IconButton } from '@/ui/button'
import { Field, Input, Select, Switch, Textarea } from '@/ui/field'
import { isSecret } from './credential'
import { linesOf, offered, readField, writeField } from './fields'
import { SecretInput } from './secret-input'
import { PairList, SourceList, SourceSelect, type Scope } from './source-select'
import type { Configuration, FieldSpec } from './step-type'

export interface FormProps {
  configuration: Configuration
  onChange: (configuration: Configuration) => void
  scope: Scope
}

/** One field of a configuration. */
export function FieldControl({ spec, configuration, onChange, scope }: FormProps & { spec: FieldSpec }) {
  const { value } = readField(configuration, spec)
  const set = (next: unknown) => onChange(writeField(configuration, spec, next))
  const setText = (text: string) => set(text === '' && spec.optional ? undefined : text)
  const text = typeof value === 'string' ? value : ''
  if (spec.kind === 'flag') return <Switch label={spec.label} disabled={scope.locked} checked={typeof value === 'boolean' ? value : spec.default === true} onChange={set} />
  if (spec.kind === 'sources' || spec.kind === 'mapping' || spec.kind === 'headers') {
    return (
      <Group label={spec.label} hint={spec.hint}>
        {spec.kind === 'sources' ? (
          <SourceList label={spec.label} scope={scope} value={texts(value)} onChange={set} />
        ) : (
          <PairList label={spec.label} scope={scope} value={textMembers(value)} plain={spec.kind === 'headers'} secret={(name) => isSecret(spec, name)} onChange={(pairs) => set(spec.optional && Object.keys(pairs).length === 0 ? undefined : pairs)} />
        )}
      </Group>
    )
  }
  if (spec.secret) return <SecretField spec={spec} locked={scope.locked} value={text} onValue={set} />
  return (
    <Field label={spec.label + (spec.optional ? ' (optional)' : '')} hint={spec.hint}>
      {(control) => {
        switch (spec.kind) {
          case 'source':
            return <SourceSelect id={control.id} scope={scope} optional={spec.optional} value={text} onChange={setText} />
          case 'choice':
            return (
              <Select {...control} disabled={scope.locked} value={text} onChange={(event) => setText(event.target.value)}>
                {(spec.optional || text === '') && <option value="">default</option>}
                {offered(spec).map((choice) => <option key={choice.value} value={choice.value}>{choice.label}</option>)}
              </Select>
            )
          case 'long':
            return <Textarea {...control} rows={4} disabled={scope.locked} value={text} onChange={(event) => setText(event.target.value)} />
          case 'texts':
            return <TextLines {...control} disabled={scope.locked} value={texts(value)} onTexts={(lines) => set(lines.length === 0 && spec.optional ? undefined : lines)} />
          case 'number':
            return <NumberInput {...control} disabled={scope.locked} value={typeof value === 'number' ? value : undefined} onNumber={set} />
          default:
            return <Input {...control} className={spec.kind === 'pattern' ? 'font-mono text-[13px]' : undefined} spellCheck={spec.kind === 'text'} disabled={scope.locked} value={text} onChange={(event) => setText(event.target.value)} />
        }
      }}
    </Field>
  )
}

/** A single credential, which can be removed if it is optional. */
function SecretField({ spec, locked, value, onValue }: { spec: FieldSpec; locked: boolean; value: string; onValue: (value: string | undefined) => void }) {
  return (
    <Field label={spec.label + (spec.optional ? ' (optional)' : '')} hint={spec.hint}>
      {(control) => (
        <div className="flex items-center gap-1">
          <SecretInput {...control} disabled={locked} value={value} onValue={(next) => onValue(next === '' && spec.optional ? undefined : next)} />
          {spec.optional && value !== '' && !locked && (
            <IconButton small label={`Remove ${spec.label}`} onClick={() => onValue(undefined)}>
              <X />
            </IconButton>
          )}
        </div>
      )}
    </Field>
  )
}

/** A heading for several controls. */
export function Group({ label, hint, children }: { label: string; hint?: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-[13px] font-medium text-dim">{label}</p>
      {children}
      {hint && <p className="text-[13px] text-faint">{hint}</p>}
    </div>
  )
}

/** An optional number. Keeps the typed text while editing. */
export function NumberInput({ value, onNumber, ...rest }: { value: number | undefined; onNumber: (value: number | undefined) => void; id?: string; 'aria-label'?: string; disabled: boolean }) {
  const [text, setText] = useState(() => (value === undefined ? '' : String(value)))
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if ((text === '' ? undefined : Number(text)) !== value) setText(value === undefined ? '' : String(value))
  }
  return (
    <Input
      {...rest}
      inputMode="decimal"
      className="tabular w-32"
      value={text}
      aria-invalid={text !== '' && Number.isNaN(Number(text))}
      onChange={(event) => {
        const next = event.target.value.trim()
        setText(next)
        if (!Number.isNaN(Number(next))) onNumber(next === '' ? undefined : Number(next))
      }}
    />
  )
}

/** Texts, each on a line. Keeps the typed text while editing. */
function TextLines({ value, onTexts, ...rest }: { value: string[]; onTexts: (texts: string[]) => void; id?: string; disabled: boolean }) {
  const [text, setText] = useState(() => value.join('\n'))
  const shown = linesOf(text).join('\n') === value.join('\n') ? text : value.join('\n')
  return (
    <Textarea
      {...rest}
      rows={3}
      value={shown}
      onChange={(event) => {
        setText(event.target.value)
        onTexts(linesOf(event.target.value))
      }}
    />
  )
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

export function textMembers(value: unknown): Record<string, string> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typeof member === 'string' ? member : JSON.stringify(member)])) : {}
}
