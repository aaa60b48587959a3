import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Checkbox, Field, Input } from '@/ui/field'
import { labelsQuery } from './data'

export interface Release {
  message: string
  labels: string[]
}

/** The message and the labels of a new version. Says from where a label moves. */
export function ReleaseFields({ workflow, value, onChange }: { workflow: number; value: Release; onChange: (release: Release) => void }) {
  const workspace = useSession().workspace_id
  const mayDeploy = useMay('WORKFLOW_DEPLOY')
  const labels = useQuery(labelsQuery(workspace, workflow)).data ?? []
  const [text, setText] = useState('')
  const fresh = value.labels.filter((name) => !labels.some((one) => one.release_label === name))
  const toggle = (name: string, on: boolean) => onChange({ ...value, labels: on ? [...value.labels, name] : value.labels.filter((one) => one !== name) })
  const add = () => {
    const name = text.trim()
    if (name !== '' && !value.labels.includes(name)) toggle(name, true)
    setText('')
  }
  const option = (name: string, note: string) => (
    <li key={name}>
      <label className="flex items-center gap-2">
        <Checkbox disabled={!mayDeploy} checked={value.labels.includes(name)} onChange={(event) => toggle(name, event.target.checked)} />
        <span className="font-medium">{name}</span> <span className="text-[13px] text-faint">{note}</span>
      </label>
    </li>
  )
  return (
    <div className="flex flex-col gap-4">
      <Field label="What changed">
        {(control) => <Input {...control} autoFocus value={value.message} onChange={(event) => onChange({ ...value, message: event.target.value })} />}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-[13px] font-medium text-dim">Release labels</legend>
        <ul className="flex flex-col gap-1">
          {labels.map((one) => option(one.release_label, value.labels.includes(one.release_label) ? `moves here from version ${one.workflow_version_number}` : `stays at version ${one.workflow_version_number}`))}
          {fresh.map((name) => option(name, 'new'))}
        </ul>
        {mayDeploy ? (
          <div className="flex gap-2">
            <Input
              aria-label="Name of a new label"
              placeholder="New label, such as staging"
              maxLength={255}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') {
                  event.preventDefault()
                  add()
                }
              }}
            />
            <Button disabled={text.trim() === ''} onClick={add}><Plus /> Add</Button>
          </div>
        ) : (
          <p className="text-[13px] text-faint">Your role may not move labels.</p>
        )}
      </fieldset>
    </div>
  )
}
