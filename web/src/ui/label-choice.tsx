import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button'
import { Checkbox, Input } from './field'

/** Chooses the release labels that a new version gets. Says from which version each one moves. */
export function LabelChoice({ labels, allowed, value, onChange }: {
  /** The labels that there are, and where they point at. */
  labels: { name: string; version: number }[]
  /** Whether the person may move labels. */
  allowed: boolean
  value: string[]
  onChange: (names: string[]) => void
}) {
  const [text, setText] = useState('')
  const fresh = value.filter((name) => !labels.some((label) => label.name === name))
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((one) => one !== name))
  const add = () => {
    const name = text.trim()
    if (name !== '' && !value.includes(name)) toggle(name, true)
    setText('')
  }
  const option = (name: string, note: string) => (
    <li key={name}>
      <label className="flex items-center gap-2">
        <Checkbox disabled={!allowed} checked={value.includes(name)} onChange={(event) => toggle(name, event.target.checked)} />
        <span className="font-medium">{name}</span> <span className="text-[13px] text-faint">{note}</span>
      </label>
    </li>
  )
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium text-dim">Release labels</legend>
      <ul className="flex flex-col gap-1">
        {labels.map(({ name, version }) => option(name, value.includes(name) ? `moves here from version ${version}` : `stays at version ${version}`))}
        {fresh.map((name) => option(name, 'new'))}
      </ul>
      {allowed ? (
        <div className="flex gap-2">
          <Input
            aria-label="Name of a new label"
            placeholder="New label, such as staging"
            maxLength={255}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return
              event.preventDefault()
              add()
            }}
          />
          <Button disabled={text.trim() === ''} onClick={add}><Plus /> Add</Button>
        </div>
      ) : (
        <p className="text-[13px] text-faint">Your role may not move labels.</p>
      )}
    </fieldset>
  )
}
