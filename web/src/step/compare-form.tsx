import { isObject } from '@/lib/json'
import { Field, Input, Select } from '@/ui/field'
import type { FormProps } from './field-control'
import type { Configuration } from './step-type'
import { SourceSelect } from './source-select'

const signs = [
  { value: 'EQ', label: 'equal to' }, { value: 'NE', label: 'not equal to' }, { value: 'GT', label: 'greater than' }, { value: 'GTE', label: 'at least' }, { value: 'LT', label: 'less than' }, { value: 'LTE', label: 'at most' },
]

/** Reports whether the form can show the whole configuration. Older formats are edited as JSON. */
export function compareFormShows(configuration: Configuration): boolean {
  const { sources, comparison_type, ...rest } = configuration
  return Array.isArray(sources) && sources.length === 2 && Object.keys(rest).length === 0 && (comparison_type === undefined || isObject(comparison_type) || typeof comparison_type === 'string')
}

/** Compares two values as text, numbers or JSON. */
export function CompareForm({ configuration, onChange, scope }: FormProps) {
  const sources = Array.isArray(configuration.sources) ? configuration.sources.map(String) : ['', '']
  const how = isObject(configuration.comparison_type) ? configuration.comparison_type : { type: configuration.comparison_type ?? 'STRING' }
  const type = String(how.type ?? 'STRING')
  const setSource = (index: number, name: string) => onChange({ ...configuration, sources: sources.with(index, name) })
  const setHow = (next: Record<string, unknown>) => onChange({ ...configuration, comparison_type: next })
  return (
    <>
      <Field label="First value">{({ id }) => <SourceSelect id={id} scope={scope} value={sources[0] ?? ''} onChange={(name) => setSource(0, name)} />}</Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Compare as">
          {(control) => (
            <Select {...control} disabled={scope.locked} value={type} onChange={(event) => setHow(event.target.value === 'NUMBER' ? { type: 'NUMBER', operator: 'EQ' } : { type: event.target.value })}>
              <option value="STRING">text</option>
              <option value="NUMBER">number</option>
              <option value="JSON">JSON</option>
            </Select>
          )}
        </Field>
        {type === 'NUMBER' && (
          <Field label="First value is">
            {(control) => (
              <Select {...control} disabled={scope.locked} value={String(how.operator ?? 'EQ')} onChange={(event) => setHow({ ...how, operator: event.target.value })}>
                {signs.map((sign) => <option key={sign.value} value={sign.value}>{sign.label}</option>)}
              </Select>
            )}
          </Field>
        )}
        {type === 'JSON' && (
          <Field label="JSON path (optional)">
            {(control) => (
              <Input {...control} className="font-mono text-[13px]" disabled={scope.locked} value={String(how.json_path ?? '')} onChange={(event) => setHow(event.target.value === '' ? { type } : { ...how, json_path: event.target.value })} />
            )}
          </Field>
        )}
      </div>
      <Field label="Second value">{({ id }) => <SourceSelect id={id} scope={scope} value={sources[1] ?? ''} onChange={(name) => setSource(1, name)} />}</Field>
    </>
  )
}
