import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from './badge'
import { Button } from './button'
import { Checkbox, Input } from './field'
import { labelTone } from './label-tone'

/** Selects the release labels of a new version, and shows the version that each existing label leaves. */
export function LabelChoice({ labels, allowed, value, onChange }: {
  /** The existing labels, the versions they point to, and what their A/B test serves. */
  labels: { name: string; version: number; test?: string }[]
  /** Whether the user may move labels. */
  allowed: boolean
  value: string[]
  onChange: (names: string[]) => void
}) {
  const [text, setText] = useState('')
  const added = value.filter((name) => !labels.some((label) => label.name === name))
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((one) => one !== name))
  const add = () => {
    const name = text.trim()
    if (name !== '' && !value.includes(name)) toggle(name, true)
    setText('')
  }
  const option = (name: string, note: string, moves: boolean, test?: string) => (
    <li key={name}>
      <label className="flex items-center gap-2">
        <Checkbox disabled={!allowed} checked={value.includes(name)} onChange={(event) => toggle(name, event.target.checked)} />
        <Badge tone={labelTone(name)}>{name}</Badge> <span className={moves ? 'text-[13px] text-warn' : 'text-[13px] text-faint'}>{note}</span>
      </label>
      {test !== undefined && <p className={moves ? 'pl-6 text-[13px] text-warn' : 'pl-6 text-[13px] text-faint'}>{test}{moves && '. Moving the label does not change this: the new version is served when the test ends.'}</p>}
    </li>
  )
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium text-dim">Release labels</legend>
      <ul className="flex flex-col gap-1.5">
        {labels.map(({ name, version, test }) => (value.includes(name) ? option(name, `moves here from version ${version}`, true, test) : option(name, `points to version ${version}`, false, test)))}
        {added.map((name) => option(name, 'new', false))}
      </ul>
      {allowed ? (
        <div className="flex gap-2">
          <Input
            aria-label="New label"
            placeholder="New label"
            maxLength={255}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return
              // Enter adds the label instead of saving.
              event.preventDefault()
              add()
            }}
          />
          <Button disabled={text.trim() === ''} onClick={add}><Plus /> Add</Button>
        </div>
      ) : (
        <p className="text-[13px] text-faint">Your role does not allow you to move labels.</p>
      )}
    </fieldset>
  )
}
