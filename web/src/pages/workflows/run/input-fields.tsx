import { CodeEditor } from '@/ui/code'
import { Field, Input, Select, Textarea } from '@/ui/field'
import { inputKind } from '../model/inputs'

/** A field for each input variable, by type. */
export function InputFields({ variables, typed, problems, onChange }: {
  variables: Record<string, string>
  typed: Record<string, string>
  problems: Record<string, string>
  onChange: (typed: Record<string, string>) => void
}) {
  const names = Object.entries(variables)
  if (names.length === 0) return <p className="text-dim">This version has no input variables.</p>
  return names.map(([name, type], at) => {
    const kind = inputKind(type)
    const autoFocus = at === 0
    const value = typed[name] ?? ''
    const set = (text: string) => onChange({ ...typed, [name]: text })
    return (
      <Field key={name} label={`${name} (${type})`} error={problems[name]}>
        {(control) => {
          switch (kind) {
            case 'boolean':
              return (
                <Select {...control} autoFocus={autoFocus} className="w-40" value={value} onChange={(event) => set(event.target.value)}>
                  <option value="">not set</option>
                  <option value="true">true</option>
                  <option value="false">false</option>
                </Select>
              )
            case 'number':
              return <Input {...control} autoFocus={autoFocus} inputMode="decimal" className="tabular w-40" value={value} onChange={(event) => set(event.target.value)} />
            case 'json':
              return <CodeEditor label={`${name} as JSON`} language="json" value={value} onChange={set} />
            default:
              return <Textarea {...control} autoFocus={autoFocus} rows={value.includes('\n') || value.length > 80 ? 4 : 1} value={value} onChange={(event) => set(event.target.value)} />
          }
        }}
      </Field>
    )
  })
}
