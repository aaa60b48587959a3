import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { useReleaseLabels } from '@/registry/labels'
import { Versions } from '@/registry/versions'
import { Button } from '@/ui/button'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { versionsQuery, workflowsKey, type VersionItem } from './data'
import { ReleaseFields, type Release } from './release-fields'

/** All versions, newest first, with their labels. */
export function VersionsTab({ workflow, name, latest }: { workflow: number; name: string; latest: number }) {
  const workspace = useSession().workspace_id
  const { page, version: shown } = useSearch({ from: '/$workspace/workflows/$workflow' })
  const mayEdit = useMay('WORKFLOW_EDIT')
  const mayDeploy = useMay('WORKFLOW_DEPLOY')
  const path = (label: string) => ({ path: { workflow_id: workflow, label } })
  const changes = useReleaseLabels({
    queryKey: workflowsKey(workspace),
    point: (label, version) => call(api.PUT('/workflows/{workflow_id}/release-labels/{label}', { params: path(label), body: { version_number: version } })),
    remove: (label) => call(api.DELETE('/workflows/{workflow_id}/release-labels/{label}', { params: path(label) })),
    users: `Applications that run ${name} by this label`,
    get: 'run',
  })
  const [restored, setRestored] = useState<VersionItem | null>(null)
  return (
    <>
      <Versions
        answer={useQuery(versionsQuery(workspace, workflow, page))}
        shown={shown}
        page={page}
        changes={changes}
        mayDeploy={mayDeploy}
        columns={[{ header: 'Nodes', className: 'tabular hidden text-right md:table-cell', cell: ({ node_count }) => node_count }]}
        actions={(version) => mayEdit && version.number !== latest && (
          <Button small look="quiet" onClick={() => setRestored(version)} aria-label={`Restore version ${version.number}`}><History /> <span className="sr-only lg:not-sr-only">Restore</span></Button>
        )}
      />
      {restored && <RestoreDialog workflow={workflow} version={restored} onClose={() => setRestored(null)} />}
    </>
  )
}

/** Restores a version by creating a copy as the latest version. */
function RestoreDialog({ workflow, version: { number }, onClose }: { workflow: number; version: VersionItem; onClose: () => void }) {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const toast = useToast()
  const [release, setRelease] = useState<Release>({ message: `Restore version ${number}`, labels: [] })
  const restore = useMutation({
    mutationFn: () =>
      call(api.PATCH('/rest/workflows/{workflow_id_or_name}', {
        params: { path: { workflow_id_or_name: String(workflow) } },
        body: { base_version: number, commit_message: release.message.trim() === '' ? null : release.message.trim(), release_labels: release.labels },
      })),
    onSuccess: (record) => {
      void queryClient.invalidateQueries({ queryKey: workflowsKey(workspace) })
      toast.done(`Version ${number} restored as version ${record.version_number}`)
      onClose()
    },
    onError: toast.failed,
  })
  return (
    <FormDialog
      title={`Restore version ${number}`}
      description="Creates a new version as a copy of this one, with the labels you choose."
      action="Restore"
      busy={restore.isPending}
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    >
      <ReleaseFields workflow={workflow} value={release} onChange={setRelease} />
    </FormDialog>
  )
}
