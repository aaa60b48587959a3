import { SendHorizontal } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { textItem, type Message, type ToolCall } from '@/template/types'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/field'
import { asMessages } from '../run/answer'
import { useAnswer, useWaiting } from '../run/answers'
import { useMayRun } from '../run/may-run'
import type { ColumnProps } from './column-props'

/**
 * Continues after an answer: with the next user message, or with the results of
 * the tools that the model called.
 */
export function Reply({ column, playground }: Pick<ColumnProps, 'column' | 'playground'>) {
  const { answers, session, goOn } = playground
  const answer = useAnswer(answers, column.id)
  const waiting = useWaiting(answers)
  const { mayRun } = useMayRun()
  const [typed, setTyped] = useState('')
  const [results, setResults] = useState<Record<string, string>>({})
  const said = answer === null || answer.state === 'running' ? [] : asMessages(answer)
  if (said.length === 0 || !mayRun) return null
  const calls = said.flatMap((message) => message.tool_calls ?? [])
  const send = () => {
    if (calls.length === 0 && typed.trim() === '') return
    goOn(column.id, [...said, ...next(calls, results, typed)])
    setTyped('')
    setResults({})
  }
  // Sends the same message to every column that has answered and waits for no tool.
  const others = session.columns.filter(({ id }) => id !== column.id && waiting.includes(id))
  const sendToAll = () => {
    for (const { id } of others) {
      const other = answers.get(id)
      if (other !== null) goOn(id, [...asMessages(other), ...next([], {}, typed)])
    }
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <div data-reply className="flex flex-col gap-2" onKeyDown={onKeyDown}>
      {calls.map((call) => (
        <Field key={call.id} label={`Result of ${call.function.name}`}>
          {(control) => <Textarea {...control} rows={2} className="font-mono text-xs" placeholder='{"found": true}' value={results[call.id] ?? ''} onChange={(event) => setResults({ ...results, [call.id]: event.target.value })} />}
        </Field>
      ))}
      {calls.length === 0 && <Textarea aria-label="Reply" rows={1} className="field-sizing-content max-h-48 min-h-8" placeholder="Reply…" value={typed} onChange={(event) => setTyped(event.target.value)} />}
      <div className="flex flex-wrap justify-end gap-2">
        {calls.length === 0 && others.length > 0 && <Button small look="quiet" disabled={typed.trim() === ''} onClick={sendToAll}>Send to all columns</Button>}
        <Button small disabled={calls.length === 0 && typed.trim() === ''} onClick={send}><SendHorizontal /> {calls.length > 0 ? 'Send results' : 'Send'}</Button>
      </div>
    </div>
  )
}

/** The reply messages. */
function next(calls: ToolCall[], results: Record<string, string>, typed: string): Message[] {
  if (calls.length === 0) return [{ role: 'user', content: [textItem(typed.trim())] }]
  return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: [textItem(results[call.id] ?? '')] }))
}
