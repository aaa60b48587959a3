import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { versionQuery, workflowKey, workflowsKey } from './data'
import { DefinitionChanges } from './definition-changes'
import type { Draft } from './editor/use-draft'
import { definitionOf, type Definition, type Version } from './model/definition'
import { diffDefinitions, summarize } from './model/diff'
import { patchBetween, wholeOf } from './model/patch'
import { problemsOf } from './model/problems'
import { ReleaseFields, type Release } from './release-fields'

/** Saves the edits as a new version. */
export function SaveDialog({ draft, latest, onClose, onSaved, onRefused }: {
  draft: Draft
  /** The number of the latest known version. */
  latest: number
  onClose: () => void
  onSaved: () => void
  /** Called with the node that the server refused. */
  onRefused: (node: string | null) => void
}) {
  const { base, definition } = draft
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const toast = useToast()
  const [release, setRelease] = useState<Release>({ message: '', labels: [] })
  const diff = diffDefinitions(definitionOf(base), definition)
  const save = useMutation({
    mutationFn: () => saveVersion(base, definition, release),
    onSuccess: async (record) => {
      await queryClient.invalidateQueries({ queryKey: workflowsKey(workspace), refetchType: 'none' })
      await queryClient.fetchQuery({ ...versionQuery(workspace, base.workflow_id), staleTime: 0 })
      void queryClient.invalidateQueries({ queryKey: workflowKey(workspace, base.workflow_id) })
      toast.done(`Version ${record.version_number} saved`)
      onClose()
      onSaved()
    },
    onError: (error) => {
      const problems = problemsOf(error, definition)
      draft.setProblems(problems)
      // Problems with the definition are shown above the graph and at the node.
      if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) toast.failed(error)
      onClose()
      onRefused(problems.find((problem) => problem.node !== null)?.node ?? null)
    },
  })
  return (
    <FormDialog
      size="wide"
      title="Save as new version"
      description={`Based on version ${base.version_number}: ${summarize(diff)}.`}
      action="Save"
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {latest > base.version_number && (
        <p className="rounded-md bg-warn-soft p-2.5 text-warn">
          You edited version {base.version_number}, but the latest is {latest}. Changes made in between will not be part of the new version.
        </p>
      )}
      <ReleaseFields workflow={base.workflow_id} value={release} onChange={setRelease} />
      <DefinitionChanges before={definitionOf(base)} after={definition} />
    </FormDialog>
  )
}

/** Sends a patch if one can express the edits, else the whole definition. */
function saveVersion(base: Version, definition: Definition, { message, labels }: Release): Promise<Schemas['WorkflowRecord']> {
  const common = { commit_message: message.trim() === '' ? null : message.trim(), ...(labels.length === 0 ? {} : { release_labels: labels }) }
  const patch = patchBetween(definitionOf(base), definition)
  if (patch === null) return call(api.POST('/rest/workflows', { body: { workflow_id: base.workflow_id, ...wholeOf(definition), ...common } }))
  const path = { workflow_id_or_name: String(base.workflow_id) }
  return call(api.PATCH('/rest/workflows/{workflow_id_or_name}', { params: { path }, body: { base_version: base.version_number, ...patch, ...common } }))
}
