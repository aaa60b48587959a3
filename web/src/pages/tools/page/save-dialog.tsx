import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay } from '@/api/session'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Checkbox, Field, Input } from '@/ui/field'
import { useToast } from '@/ui/toast'
import { toolPath, useRefreshTools, type Tool } from '../data'
import type { Draft } from './use-draft'

/** Saves what is in the editor as a new version, with a message and labels. */
export function SaveDialog({ draft, latest, onSaved, onClose }: { draft: Draft; latest: Tool; onSaved: () => void; onClose: () => void }) {
  const refresh = useRefreshTools()
  const toast = useToast()
  const { version } = draft.base
  // As it was when the window was opened: saving makes another one the latest.
  const [newest] = useState(latest.version.number)
  const [message, setMessage] = useState(!draft.dirty && version.number !== newest ? `Back to version ${version.number}` : '')
  const [labels, setLabels] = useState<string[]>([])
  const save = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/tool-registry/{identifier}/versions', {
      params: toolPath(latest.id),
      body: { tool_definition: draft.definition, execution: draft.parts.execution, response_schema: draft.schema, commit_message: message.trim() || null, release_labels: labels },
    })),
    onSuccess: async ({ version: saved }) => {
      // The new version first, so that the page does not fall back to the old one for a moment.
      await refresh()
      toast.done(`Saved version ${saved.number}`)
      onSaved()
    },
  })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const description = draft.dirty ? undefined : version.number === newest ? `Labels come with a version, so version ${newest + 1} is made like version ${newest}.` : `Version ${newest + 1} is made like version ${version.number}.`
  return (
    <Dialog
      open
      title={draft.dirty ? 'Save as a new version' : version.number === newest ? 'Release the latest version' : `Bring back version ${version.number}`}
      description={description}
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="save-tool" busy={save.isPending}>Save version {newest + 1}</Button>
        </>
      }
    >
      <form id="save-tool" onSubmit={submit} className="flex flex-col gap-4 pb-1">
        {draft.dirty && version.number !== newest && (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">You changed version {version.number}, but the latest is {newest}. What changed in between is not part of the new version.</p>
        )}
        <Field label="What changed" error={save.error?.message}>
          {(control) => <Input {...control} autoFocus maxLength={10_000} value={message} onChange={(event) => setMessage(event.target.value)} />}
        </Field>
        <LabelChoice tool={latest} value={labels} onChange={setLabels} />
      </form>
    </Dialog>
  )
}

function LabelChoice({ tool, value, onChange }: { tool: Tool; value: string[]; onChange: (labels: string[]) => void }) {
  const mayDeploy = useMay('TOOL_DEPLOY')
  const [text, setText] = useState('')
  const fresh = value.filter((name) => !tool.labels.some((label) => label.name === name))
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((one) => one !== name))
  const add = () => {
    const name = text.trim()
    if (name !== '' && !value.includes(name)) toggle(name, true)
    setText('')
  }
  const option = (name: string, note: string) => (
    <li key={name}>
      <label className="flex items-center gap-2">
        <Checkbox disabled={!mayDeploy} checked={value.includes(name)} onChange={(event) => toggle(name, event.target.checked)} />
        <span className="font-medium">{name}</span> <span className="text-[13px] text-faint">{note}</span>
      </label>
    </li>
  )
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium text-dim">Release labels</legend>
      <ul className="flex flex-col gap-1">
        {tool.labels.map(({ name, version_number }) => option(name, value.includes(name) ? `moves here from version ${version_number}` : `stays at version ${version_number}`))}
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
