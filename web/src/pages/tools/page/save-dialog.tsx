import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay } from '@/api/session'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { LabelChoice } from '@/ui/label-choice'
import { useToast } from '@/ui/toast'
import { toolPath, useRefreshTools, type Tool } from '../data'
import type { Draft } from './use-draft'

/** Saves the editor's content as a new version, with a message and labels. */
export function SaveDialog({ draft, latest, onSaved, onClose }: { draft: Draft; latest: Tool; onSaved: () => void; onClose: () => void }) {
  const refresh = useRefreshTools()
  const mayDeploy = useMay('TOOL_DEPLOY')
  const toast = useToast()
  const { version } = draft.base
  // The state when the dialog was opened, because saving changes which version is the latest.
  const [newest] = useState(latest.version.number)
  const [message, setMessage] = useState(!draft.dirty && version.number !== newest ? `Restore version ${version.number}` : '')
  const [labels, setLabels] = useState<string[]>([])
  const save = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/tool-registry/{identifier}/versions', {
      params: toolPath(latest.id),
      body: { tool_definition: draft.definition, execution: draft.parts.execution, response_schema: draft.schema, commit_message: message.trim() || null, release_labels: labels },
    })),
    onSuccess: async ({ version: saved }) => {
      // Load the new version first, so that the page does not show the old one for a moment.
      await refresh()
      toast.done(`Version ${saved.number} saved`)
      onSaved()
    },
  })
  const description = draft.dirty ? undefined : version.number === newest ? `Creates version ${newest + 1} as a copy of version ${newest} with labels.` : `Creates version ${newest + 1} as a copy of version ${version.number}.`
  return (
    <FormDialog
      title={draft.dirty ? 'Save as new version' : version.number === newest ? 'Release latest version' : `Restore version ${version.number}`}
      description={description}
      action={`Save version ${newest + 1}`}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {draft.dirty && version.number !== newest && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">You edited version {version.number}, but the latest is {newest}. Changes made in between will not be part of the new version.</p>
      )}
      <Field label="What changed" error={save.error?.message}>
        {(control) => <Input {...control} autoFocus maxLength={10_000} value={message} onChange={(event) => setMessage(event.target.value)} />}
      </Field>
      <LabelChoice labels={latest.labels.map(({ name, version_number }) => ({ name, version: version_number }))} allowed={mayDeploy} value={labels} onChange={setLabels} />
    </FormDialog>
  )
}
