import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { Section } from '@/request/content'
import type { RequestItem } from '@/request/data'
import { Button, IconButton } from '@/ui/button'
import { Input } from '@/ui/field'
import { readScore, useScoreChange, useScoreRemoval } from './edits'
import { useHandBack } from './hand-back'

/** The scores from 0 to 100. Saving a score replaces the one with the same name. */
export function Scores({ item }: { item: RequestItem }) {
  const may = useMay('METADATA_EDIT')
  const [editing, setEditing] = useState<{ name: string; isNew: boolean } | null>(null)
  const section = useHandBack(editing === null ? null : editing.isNew ? '' : editing.name)
  const removal = useScoreRemoval(item)
  const begin = (name: string, isNew: boolean) => setEditing({ name, isNew })
  return (
    <Section
      ref={section}
      title="Scores"
      actions={<Button data-edits="" small look="quiet" disabled={!may} title={may ? undefined : 'Your role does not allow you to add scores'} onClick={() => begin(item.scores.length === 0 ? 'default' : '', true)}><Plus /> Add</Button>}
    >
      {item.scores.length === 0 && editing === null && <p className="text-faint">No scores yet. Add a score from 0 to 100 to rate the answer.</p>}
      <ul className="flex flex-wrap gap-2">
        {item.scores.map(({ name, score }) => (
          <li key={name} className="flex items-center">
            <button type="button" data-edits={name} disabled={!may} onClick={() => begin(name, false)} title={may ? 'Edit score' : undefined} className="flex items-center gap-2 rounded-md border border-line px-2 py-1 text-[13px] enabled:hover:bg-hover">
              <span className="text-dim">{name}</span> <strong className="tabular font-semibold">{score}</strong>
              <span aria-hidden className="h-1.5 w-10 overflow-hidden rounded-full bg-sunken"><span className="block h-full bg-accent" style={{ width: `${score}%` }} /></span>
            </button>
            {may && <IconButton small className="size-6" label={`Remove score ${name}`} disabled={removal.isPending} onClick={() => removal.mutate(name)}><X /></IconButton>}
          </li>
        ))}
      </ul>
      {editing && <ScoreForm key={editing.name} item={item} {...editing} onDone={() => setEditing(null)} />}
    </Section>
  )
}

function ScoreForm({ item, name, isNew, onDone }: { item: RequestItem; name: string; isNew: boolean; onDone: () => void }) {
  const [label, setLabel] = useState(name)
  const [value, setValue] = useState(isNew ? '' : String(item.scores.find((score) => score.name === name)?.score ?? ''))
  const change = useScoreChange(item)
  const hint = useId()
  const score = readScore(value)
  const wrong = value.trim() !== '' && score === null
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (score !== null) change.mutate({ name: label.trim() === '' ? 'default' : label.trim(), score }, { onSuccess: onDone })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-1.5" onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <Input aria-label="Score name" placeholder="name" className="w-36" disabled={!isNew} value={label} onChange={(event) => setLabel(event.target.value)} />
      <Input aria-label="Score from 0 to 100" placeholder="0–100" inputMode="numeric" autoFocus className="w-20" aria-invalid={wrong} aria-describedby={hint} value={value} onChange={(event) => setValue(event.target.value)} />
      {[0, 50, 100].map((quick) => <Button key={quick} small look="quiet" onClick={() => setValue(String(quick))}>{quick}</Button>)}
      <Button type="submit" look="primary" busy={change.isPending} disabled={score === null}>Save</Button>
      <Button onClick={onDone}>Cancel</Button>
      <p id={hint} className={cn('w-full text-[13px]', wrong ? 'text-bad' : 'text-faint')}>Enter a whole number from 0 to 100.</p>
    </form>
  )
}
