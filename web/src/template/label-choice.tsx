import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Checkbox, Input } from '@/ui/field'
import { labelTone } from '@/ui/label-tone'
import type { Label } from './data'

/** The labels that the new version gets; each says which version it leaves. */
export function LabelChoice({ existing, next, value, onChange }: { existing: Label[]; next: number; value: string[]; onChange: (value: string[]) => void }) {
  const [typed, setTyped] = useState('')
  const added = value.filter((name) => !existing.some((label) => label.release_label === name))
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((one) => one !== name))
  const add = () => {
    const name = typed.trim()
    if (name !== '' && !value.includes(name)) onChange([...value, name])
    setTyped('')
  }
  return (
    <fieldset>
      <legend className="mb-1 text-[13px] font-medium text-dim">Labels for the new version</legend>
      <div className="flex flex-col gap-1.5">
        {existing.map((label) => (
          <label key={label.release_label_id} className="flex items-center gap-2">
            <Checkbox checked={value.includes(label.release_label)} onChange={(event) => toggle(label.release_label, event.target.checked)} />
            <Badge tone={labelTone(label.release_label)}>{label.release_label}</Badge>
            <span className={value.includes(label.release_label) ? 'text-[13px] text-warn' : 'text-[13px] text-faint'}>
              {value.includes(label.release_label) ? `leaves version ${label.prompt_version_number}: programs that fetch it get version ${next} at once` : `points at version ${label.prompt_version_number}`}
            </span>
          </label>
        ))}
        {added.map((name) => (
          <label key={name} className="flex items-center gap-2">
            <Checkbox checked onChange={() => toggle(name, false)} /> <Badge tone={labelTone(name)}>{name}</Badge> <span className="text-[13px] text-faint">is new</span>
          </label>
        ))}
        <div className="flex gap-2">
          <Input
            aria-label="A new label"
            placeholder="A new label"
            className="h-7 max-w-44"
            maxLength={255}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter adds the label; it does not save yet.
              event.preventDefault()
              add()
            }}
          />
          <Button small disabled={typed.trim() === ''} onClick={add}><Plus /> Add</Button>
        </div>
      </div>
    </fieldset>
  )
}
