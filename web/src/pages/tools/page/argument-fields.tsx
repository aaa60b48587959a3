import { Checkbox, Field, Input, Select, Textarea } from '@/ui/field'
import type { Argument } from '../model/schema'

/** A field for each argument in the definition. */
export function ArgumentFields({ list, typed, problems, onChange }: { list: Argument[]; typed: Record<string, string>; problems: Record<string, string>; onChange: (name: string, text: string) => void }) {
  if (list.length === 0) return <p className="text-faint">The definition has no parameters. To pass arguments anyway, use JSON.</p>
  return list.map((argument) => {
    const value = typed[argument.name] ?? argument.begin
    return (
      <Field
        key={argument.name}
        label={argument.required ? argument.name : `${argument.name} (optional)`}
        hint={argument.description || (argument.control === 'json' ? `${argument.type}, as JSON` : undefined)}
        error={problems[argument.name]}
      >
        {(control) => <Control {...control} argument={argument} value={value} onChange={(text) => onChange(argument.name, text)} />}
      </Field>
    )
  })
}

function Control({ argument, value, onChange, ...control }: { argument: Argument; value: string; onChange: (text: string) => void; id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) {
  switch (argument.control) {
    case 'choice':
      return (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">not set</option>
          {argument.choices.map((choice) => <option key={String(choice)} value={String(choice)}>{String(choice)}</option>)}
        </Select>
      )
    case 'switch':
      // Omitted until it is changed: false differs from no argument.
      return <Checkbox {...control} checked={value === 'true'} onChange={(event) => onChange(String(event.target.checked))} />
    case 'number':
      return <Input {...control} inputMode="decimal" className="tabular" value={value} onChange={(event) => onChange(event.target.value)} />
    case 'json':
      return <Textarea {...control} rows={3} spellCheck={false} className="font-mono text-xs" placeholder={argument.type.startsWith('list') ? '[]' : '{}'} value={value} onChange={(event) => onChange(event.target.value)} />
    case 'text':
      return <Textarea {...control} rows={1} className="field-sizing-content max-h-60 min-h-8" value={value} onChange={(event) => onChange(event.target.value)} />
  }
}
