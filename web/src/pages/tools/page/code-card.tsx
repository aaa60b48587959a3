import { useState } from 'react'
import { Button } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { Select } from '@/ui/field'
import { Card } from '@/ui/page'
import type { Execution } from '../data'
import { functionOf } from '../model/parts'
import { ParameterTable } from './parameter-table'
import type { Draft } from './use-draft'

const beginnings: Record<Execution['language'], string> = {
  javascript: '// args contains the arguments from the model.\nreturn {}\n',
  python: '# args contains the arguments from the model.\nreturn {}\n',
}

/** The code that the registry runs for the tool. */
export function CodeCard({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const { execution } = draft.parts
  const name = functionOf(draft.definition)?.name
  // Removed code is restored when a language is chosen again.
  const [last, setLast] = useState('')
  const choose = (language: string) => {
    if (language !== 'javascript' && language !== 'python') {
      setLast(execution?.code ?? '')
      draft.change({ execution: null })
    } else draft.change({ execution: { type: 'code', language, code: untouched(execution) ? last || beginnings[language] : (execution?.code ?? '') } })
  }
  return (
    <Card
      title="Code"
      actions={
        <Select aria-label="Language" className="h-7 text-[13px]" disabled={readOnly} value={execution?.language ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">No code</option>
          <option value="javascript">JavaScript</option>
          <option value="python">Python</option>
        </Select>
      }
    >
      {execution === null ? (
        <p className="text-dim">This tool has no code: your application runs it when a model calls it. Choose a language to let the registry run it.</p>
      ) : (
        <>
          <CodeEditor label="Tool code" language={execution.language} lines readOnly={readOnly} value={execution.code} onChange={(code) => draft.change({ execution: { ...execution, code } })} />
          <p className="mt-1.5 text-[13px] text-faint">
            The body of <code className="font-mono text-xs">{name || 'the function'}(args)</code>. The return value is passed to the model as JSON.
            {execution.language === 'python' && ' Python must be enabled on the server.'}
          </p>
        </>
      )}
    </Card>
  )
}

/** Reports whether the code is still the initial one. */
function untouched(execution: Execution | null): boolean {
  return execution === null || execution.code.trim() === '' || Object.values(beginnings).includes(execution.code)
}

/** The optional JSON schema of the response. */
export function SchemaCard({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const { schema } = draft.parts
  const [json, setJson] = useState(false)
  if (schema === '' && !json) {
    return (
      <Card title="Response schema" actions={!readOnly && <Button small look="quiet" onClick={() => { setJson(true); draft.change({ schema: '{\n  "type": "object",\n  "properties": {}\n}' }) }}>Add</Button>}>
        <p className="text-dim">Optional. Describes the response of the tool for its users.</p>
      </Card>
    )
  }
  const fields = !json && draft.schema !== undefined && typeof draft.schema.properties === 'object'
  return (
    <Card
      title="Response schema"
      actions={
        <span className="flex gap-1">
          {!readOnly && <Button small look="quiet" onClick={() => { setJson(false); draft.change({ schema: '' }) }}>Remove</Button>}
          {draft.problems.schema === null && <Button small look="quiet" onClick={() => setJson(fields)}>{fields ? 'Show JSON' : 'Show fields'}</Button>}
        </span>
      }
    >
      {fields && draft.schema ? <ParameterTable schema={draft.schema} label="Response fields" /> : <CodeEditor label="Response schema" language="json" lines readOnly={readOnly} value={schema} onChange={(next) => draft.change({ schema: next })} />}
      {draft.problems.schema !== null && <p role="alert" className="mt-1 text-[13px] text-bad">{draft.problems.schema}</p>}
    </Card>
  )
}
