import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { evaluationsKey, type Cell, type Column } from '@/evaluation/data'
import { Button } from '@/ui/button'
import { Field, Input, Textarea } from '@/ui/field'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import { questionOf } from './question'

/** A cell that waits for a person: its question, and a form for those who may answer. */
export function AnswerForm({ run, position, column }: { run: number; position: number; column: Column }) {
  const { workspace_id: workspace, user } = useSession()
  const mayEdit = useMay('REPORT_EDIT')
  const queryClient = useQueryClient()
  const toast = useToast()
  const question = questionOf(column.configuration)
  const [text, setText] = useState('')
  const [comment, setComment] = useState('')
  const answer = useMutation({
    mutationFn: (value: unknown) =>
      call(
        api.POST('/api/public/v2/evaluations/{evaluation_id}/answers', {
          params: { path: { evaluation_id: run } },
          body: { position, column_id: column.id, value, comment: comment.trim() === '' ? undefined : comment },
        }),
      ),
    onSuccess: async () => {
      toast.done('Answer saved')
      await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
    },
    onError: toast.failed,
  })
  const asked = question.people.length === 0 || question.people.some((one) => one.toLowerCase() === user?.email.toLowerCase())
  if (!mayEdit || !asked) return <p className="text-dim">Waiting for {question.people.length === 0 ? 'someone who may edit evaluations' : question.people.join(', ')}.</p>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer.mutate(question.kind === 'number' ? Number(text) : text)
  }
  const typed = question.kind === 'number' || question.kind === 'text'
  return (
    <form onSubmit={submit} className="flex flex-col gap-2" aria-label={`Answer ${column.name}`}>
      {question.prompt !== '' && <p className="whitespace-pre-line">{question.prompt}</p>}
      {question.kind === 'number' && (
        <Field label="Number" hint={question.range}>
          {(props) => <Input {...props} type="number" step="any" required min={question.min} max={question.max} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      )}
      {question.kind === 'text' && <Field label="Text">{(props) => <Textarea {...props} required maxLength={10_000} value={text} onChange={(event) => setText(event.target.value)} />}</Field>}
      {question.comment && <Field label="Comment">{(props) => <Textarea {...props} rows={2} value={comment} maxLength={10_000} onChange={(event) => setComment(event.target.value)} />}</Field>}
      <div className="flex flex-wrap gap-2">
        {typed && <Button look="primary" type="submit" busy={answer.isPending}>Answer</Button>}
        {question.kind === 'choice' && question.choices.map((one) => <Button key={one} disabled={answer.isPending} onClick={() => answer.mutate(one)}>{one}</Button>)}
        {question.kind === 'thumbs' && (
          <>
            <Button disabled={answer.isPending} onClick={() => answer.mutate(true)}><ThumbsUp /> Thumbs up</Button>
            <Button disabled={answer.isPending} onClick={() => answer.mutate(false)}><ThumbsDown /> Thumbs down</Button>
          </>
        )}
      </div>
    </form>
  )
}

/** Who gave the value of a cell, when, and with what comment. */
export function AnsweredBy({ answer }: { answer: NonNullable<Cell['answer']> }) {
  return (
    <p className="mt-1.5 text-[13px] text-dim">
      Answered by {answer.answered_by}, <Ago at={answer.answered_at} />
      {answer.comment !== null && <span className="block whitespace-pre-line text-ink">{answer.comment}</span>}
    </p>
  )
}
