import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay } from '@/api/session'
import { Button } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { Card, EmptyState } from '@/ui/page'
import { toolPath } from '../data'
import { functionOf, readObject, write } from '../model/parts'
import { argumentsOf, inputsOf } from '../model/schema'
import { ArgumentFields } from './argument-fields'
import { Outcome } from './outcome'
import type { Draft } from './use-draft'

/** Runs the editor's content with arguments, saved or not. */
export function TestTab({ draft }: { draft: Draft }) {
  const mayRun = useMay('TOOL_EDIT')
  const list = argumentsOf(functionOf(draft.definition)?.parameters ?? {})
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [raw, setRaw] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const fromFields = inputsOf(list, typed)
  const fromText = raw === null ? null : readObject(raw)
  const ready = fromText === null ? Object.keys(fromFields.problems).length === 0 : fromText.problem === null
  const run = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/tool-registry/{identifier}/test-execute', {
      params: { ...toolPath(draft.base.id), query: { version: String(draft.base.version.number) } },
      body: { inputs: fromText?.value ?? fromFields.inputs, ...(draft.dirty ? { execution: draft.parts.execution, tool_definition: draft.definition } : {}) },
    })),
  })
  if (draft.parts.execution === null) return <EmptyState title="No code to run">This version has no code. To add code, choose a language under Definition.</EmptyState>
  const start = () => {
    setTried(true)
    if (ready && mayRun && !run.isPending) run.mutate()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    start()
  }
  return (
    <div className="mx-auto grid max-w-7xl items-start gap-4 p-4 lg:grid-cols-2">
      <Card
        title="Arguments"
        actions={<Button small look="quiet" onClick={() => setRaw(raw === null ? write(fromFields.inputs) : null)}>{raw === null ? 'Use JSON' : 'Use fields'}</Button>}
      >
        <div className="flex flex-col gap-4" onKeyDown={onKeyDown}>
          <p className="text-[13px] text-dim">{draft.dirty ? `Runs the unsaved code in the editor.` : `Runs version ${draft.base.version.number}.`} Enter arguments as a model would pass them.</p>
          {raw === null ? (
            <ArgumentFields list={list} typed={typed} problems={tried ? fromFields.problems : {}} onChange={(name, text) => setTyped((old) => ({ ...old, [name]: text }))} />
          ) : (
            <div>
              <CodeEditor label="Arguments as JSON" language="json" lines value={raw} onChange={setRaw} />
              {fromText?.problem && <p role="alert" className="mt-1 text-[13px] text-bad">{fromText.problem}</p>}
            </div>
          )}
          <div className="flex items-center gap-3">
            <Button look="primary" busy={run.isPending} disabled={!mayRun} title={mayRun ? undefined : 'Your role does not allow you to run tools. This requires permission to edit tools.'} onClick={start}><Play /> Run</Button>
            <span className="text-[13px] text-faint">Ctrl+Enter or Cmd+Enter</span>
          </div>
        </div>
      </Card>
      <Outcome pending={run.isPending} error={run.error} answer={run.data} />
    </div>
  )
}
