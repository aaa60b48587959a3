import { isObject } from '@/lib/json'
import { Field, Select, Textarea } from '@/ui/field'
import type { FormProps } from './field-control'
import { JsonInput } from './json-input'
import type { Configuration } from './step-type'

/** A constant: text or any JSON. */
export function ValueForm({ configuration, onChange, scope }: FormProps) {
  const { type, value } = readValue(configuration)
  const set = (next: { type: string; value: unknown }) => onChange({ value: next })
  return (
    <>
      <Field label="Value type">
        {(control) => (
          <Select {...control} disabled={scope.locked} value={type} onChange={(event) => set(convert(event.target.value, value))}>
            <option value="string">Text</option>
            <option value="json">JSON</option>
          </Select>
        )}
      </Field>
      {type === 'json' ? (
        <JsonInput label="Value" locked={scope.locked} value={value} onChange={(next) => set({ type, value: next })} />
      ) : (
        <Field label="Value">
          {(control) => <Textarea {...control} rows={4} disabled={scope.locked} value={typeof value === 'string' ? value : JSON.stringify(value)} onChange={(event) => set({ type, value: event.target.value })} />}
        </Field>
      )}
    </>
  )
}

function readValue({ value, value_type }: Configuration): { type: string; value: unknown } {
  if (isObject(value) && 'value' in value) return { type: value.type === 'json' ? 'json' : 'string', value: value.value }
  return { type: value_type === 'json' || typeof value !== 'string' ? 'json' : 'string', value: value ?? null }
}

function convert(type: string, value: unknown): { type: string; value: unknown } {
  if (type === 'string') return { type, value: typeof value === 'string' ? value : JSON.stringify(value) }
  try {
    return { type, value: typeof value === 'string' ? (JSON.parse(value) as unknown) : value }
  } catch {
    return { type, value }
  }
}
