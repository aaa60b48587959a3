import { CodeEditor } from '@/ui/code'
import { Field, Select } from '@/ui/field'
import type { FormProps } from './field-control'

/** Code and its language. */
export function CodeForm({ configuration, onChange, scope }: FormProps) {
  const language = String(configuration.language ?? 'JAVASCRIPT').toUpperCase()
  return (
    <>
      <Field label="Language" hint={language === 'PYTHON' ? 'Python must be enabled on the server.' : undefined}>
        {(control) => (
          <Select {...control} disabled={scope.locked} value={language} onChange={(event) => onChange({ ...configuration, language: event.target.value })}>
            <option value="JAVASCRIPT">JavaScript</option>
            <option value="PYTHON">Python</option>
          </Select>
        )}
      </Field>
      <div className="flex flex-col gap-1">
        <p className="text-[13px] font-medium text-dim">Code</p>
        <CodeEditor
          key={language}
          label="Code"
          lines
          language={language === 'PYTHON' ? 'python' : 'javascript'}
          readOnly={scope.locked}
          value={String(configuration.code ?? '')}
          onChange={(code) => onChange({ ...configuration, code })}
        />
        <p className="text-[13px] text-faint">
          The variable <code className="font-mono">data</code> holds the values of all direct and indirect dependencies. The return value becomes the value of the node.
        </p>
      </div>
    </>
  )
}
