import { useState } from 'react'
import { Button } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { Field, Input, Switch, Textarea } from '@/ui/field'
import { Card } from '@/ui/page'
import { functionOf, withFunction, write, type FunctionParts } from '../model/parts'
import { ParameterTable } from './parameter-table'
import type { Draft } from './use-draft'

/** The definition that models see, in fields or as JSON. */
export function DefinitionCard({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const [json, setJson] = useState(false)
  const described = functionOf(draft.definition)
  const asJson = json || described === null || draft.problems.definition !== null
  return (
    <Card
      title="Definition"
      actions={described !== null && draft.problems.definition === null && <Button small look="quiet" onClick={() => setJson(!json)}>{json ? 'Show fields' : readOnly ? 'Show JSON' : 'Edit as JSON'}</Button>}
    >
      {asJson ? (
        <>
          <CodeEditor label="Definition as JSON" language="json" lines readOnly={readOnly} value={draft.parts.definition} onChange={(definition) => draft.change({ definition })} />
          {draft.problems.definition !== null && <p role="alert" className="mt-1 text-[13px] text-bad">{draft.problems.definition}</p>}
          {described === null && draft.problems.definition === null && <p className="mt-1 text-[13px] text-warn">This is not a function definition, so the registry cannot run it. It is stored as is.</p>}
        </>
      ) : (
        <Fields described={described} readOnly={readOnly} onChange={(changes) => draft.change({ definition: write(withFunction(draft.definition, changes)) })} />
      )}
    </Card>
  )
}

function Fields({ described, readOnly, onChange }: { described: FunctionParts; readOnly: boolean; onChange: (changes: Partial<FunctionParts>) => void }) {
  const badName = described.name !== '' && !/^[A-Za-z0-9_-]{1,64}$/.test(described.name)
  return (
    <div className="flex flex-col gap-4">
      <Field label="Function name" error={described.name === '' ? 'Enter a name.' : badName ? 'Most providers allow only letters, digits, _ and -, up to 64 characters.' : null}>
        {(control) => <Input {...control} readOnly={readOnly} spellCheck={false} className="font-mono text-xs" value={described.name} onChange={(event) => onChange({ name: event.target.value })} />}
      </Field>
      <Field label="Description" hint="Models use it to decide when to call the tool.">
        {(control) => <Textarea {...control} rows={2} readOnly={readOnly} value={described.description} onChange={(event) => onChange({ description: event.target.value })} />}
      </Field>
      <div>
        <h3 className="mb-1 text-[13px] font-medium text-dim">Parameters</h3>
        <ParameterTable schema={described.parameters} />
      </div>
      <Switch label="Strict: arguments always match the schema" checked={described.strict} onChange={(strict) => onChange({ strict })} disabled={readOnly} />
    </div>
  )
}
