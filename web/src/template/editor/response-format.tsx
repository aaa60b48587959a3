import { isObject } from '@/lib/json'
import { Field, Input, Select } from '@/ui/field'
import { text } from '../types'
import { JsonField } from './json-field'

const newSchema = { name: 'answer', strict: true, schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'], additionalProperties: false } }

/** The response format: text, any JSON, or JSON with a schema. */
export function ResponseFormat({ value, onChange, readOnly }: { value: unknown; onChange: (value: unknown) => void; readOnly?: boolean }) {
  const format = isObject(value) ? value : {}
  const kind = value === undefined || value === null ? '' : text(format.type) || 'other'
  const schema = isObject(format.json_schema) ? format.json_schema : null
  const choose = (next: string) => onChange(next === '' ? undefined : next === 'json_schema' ? { type: next, json_schema: newSchema } : { type: next })
  return (
    <div className="flex flex-col gap-2">
      <Field label="Response format">
        {(control) => (
          <Select {...control} disabled={readOnly} value={kind} onChange={(event) => choose(event.target.value)}>
            <option value="">Default</option>
            <option value="text">Text</option>
            <option value="json_object">Any JSON object</option>
            <option value="json_schema">JSON with a schema</option>
            {!['', 'text', 'json_object', 'json_schema'].includes(kind) && <option value={kind}>{kind}</option>}
          </Select>
        )}
      </Field>
      {kind === 'json_schema' && schema !== null && (
        <>
          <Field label="Schema name">
            {(control) => <Input {...control} readOnly={readOnly} value={text(schema.name)} onChange={(event) => onChange({ ...format, json_schema: { ...schema, name: event.target.value } })} />}
          </Field>
          <JsonField value={schema.schema} expects="object" label="Response schema" readOnly={readOnly} onChange={(next) => onChange({ ...format, json_schema: { ...schema, schema: next } })} />
        </>
      )}
      {(kind === 'other' || (kind === 'json_schema' && schema === null)) && <JsonField value={value} label="Response format as JSON" readOnly={readOnly} onChange={onChange} />}
    </div>
  )
}
