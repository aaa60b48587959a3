import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay } from '@/api/session'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { LabelChoice } from '@/ui/label-choice'
import { useToast } from '@/ui/toast'
import { toolPath, useRefreshTools, type Tool } from '../data'
import type { Draft } from './use-draft'

/** Saves what is in the editor as a new version, with a message and labels. */
export function SaveDialog({ draft, latest, onSaved, onClose }: { draft: Draft; latest: Tool; onSaved: () => void; onClose: () => void }) {
  const refresh = useRefreshTools()
  const mayDeploy = useMay('TOOL_DEPLOY')
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
        <LabelChoice labels={latest.labels.map(({ name, version_number }) => ({ name, version: version_number }))} allowed={mayDeploy} value={labels} onChange={setLabels} />
      </form>
    </Dialog>
  )
}
