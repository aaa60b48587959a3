import { MessageSquarePlus, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import type { RequestItem } from '@/request/data'
import { Button, IconButton } from '@/ui/button'
import { Input } from '@/ui/field'
import { metadataOf } from '../log-query'
import { useMetadataChange, useScoreChange } from './edits'
import { useHandBack } from './hand-back'

/** The score of the thumbs, and the metadata key of the comment. */
const thumbs = 'thumbs'
const comment = 'comment'

/** Rates the answer: a thumb up is a score of 100, a thumb down one of 0. The comment is metadata. */
export function Feedback({ item }: { item: RequestItem }) {
  const may = useMay('METADATA_EDIT')
  const rate = useScoreChange(item)
  const [editing, setEditing] = useState(false)
  const section = useHandBack(editing ? comment : null)
  const given = item.scores.find(({ name }) => name === thumbs)?.score
  const written = commentOf(item)
  const thumb = (label: string, score: number, icon: React.ReactNode) => (
    <IconButton
      small
      label={may ? label : 'Your role does not allow you to add scores'}
      aria-pressed={given === score}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
      disabled={!may || rate.isPending}
      onClick={() => rate.mutate({ name: thumbs, score })}
    >
      {icon}
    </IconButton>
  )
  return (
    <section ref={section} aria-label="Feedback" className="flex flex-wrap items-center gap-1 border-b border-line px-4 py-1 text-[13px]">
      {thumb('Good answer', 100, <ThumbsUp />)}
      {thumb('Bad answer', 0, <ThumbsDown />)}
      {editing ? <CommentForm item={item} text={written} onDone={() => setEditing(false)} /> : (
        <Button data-edits={comment} small look="quiet" className="max-w-full min-w-0" disabled={!may} title={may ? 'Edit comment' : 'Your role does not allow you to edit metadata'} onClick={() => setEditing(true)}>
          {written === '' ? <><MessageSquarePlus /> Comment</> : <span className="truncate">{written}</span>}
        </Button>
      )}
    </section>
  )
}

function commentOf(item: RequestItem): string {
  const value = metadataOf(item)[comment]
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

function CommentForm({ item, text, onDone }: { item: RequestItem; text: string; onDone: () => void }) {
  const [value, setValue] = useState(text)
  const change = useMetadataChange(item)
  return (
    <form
      className="flex min-w-48 flex-1 gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ [comment]: value.trim() }, { onSuccess: onDone })
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <Input aria-label="Comment" autoFocus placeholder="What is good or bad about the answer?" maxLength={1000} value={value} onChange={(event) => setValue(event.target.value)} />
      <Button small type="submit" look="primary" busy={change.isPending} disabled={value.trim() === text}>Save</Button>
      <Button small onClick={onDone}>Cancel</Button>
    </form>
  )
}
