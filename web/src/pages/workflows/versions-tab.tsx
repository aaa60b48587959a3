import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { GitCompareArrows, History } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Button, buttonClass } from '@/ui/button'
import { FormDialog } from '@/ui/form-dialog'
import { ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import { VersionLabels } from '@/ui/version-labels'
import { versionsQuery, workflowsKey, type VersionItem } from './data'
import { useLabelActions } from './label-actions'
import { ReleaseFields, type Release } from './release-fields'

/** All versions, newest first, with their labels. */
export function VersionsTab({ workflow, name }: { workflow: number; name: string }) {
  const workspace = useSession().workspace_id
  const params = useParams({ from: '/$workspace/workflows/$workflow' })
  const search = useSearch({ from: '/$workspace/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const page = search.page ?? 1
  const versions = useQuery(versionsQuery(workspace, workflow, page))
  const mayEdit = useMay('WORKFLOW_EDIT')
  const mayDeploy = useMay('WORKFLOW_DEPLOY')
  const changes = useLabelActions(workflow, name)
  const [restored, setRestored] = useState<VersionItem | null>(null)
  if (versions.isError) return <ErrorState error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Loading />
  const newest = page === 1 ? versions.data.items[0]?.number : undefined
  return (
    <>
      <SimpleTable
        label="Versions"
        rows={versions.data.items}
        rowKey={(version) => version.id}
        onOpen={(version) => void navigate({ search: { version: version.number } })}
        selected={(version) => version.number === search.version}
        columns={[
          {
            header: 'Version',
            className: 'w-24',
            cell: (version) => (
              <Link to="/$workspace/workflows/$workflow" params={params} search={{ version: version.number }} className="tabular font-medium text-accent-ink hover:underline">
                {version.number}
              </Link>
            ),
          },
          { header: 'Labels', className: 'whitespace-normal', cell: (version) => <VersionLabels version={version} versions={versions.data.items} changes={changes} may={mayDeploy} /> },
          { header: 'What changed', className: 'w-full', cell: ({ commit_message }) => commit_message ?? <span className="text-faint">no message</span> },
          { header: 'Nodes', className: 'tabular hidden text-right md:table-cell', cell: ({ node_count }) => node_count },
          { header: 'Saved by', className: 'hidden text-dim lg:table-cell', cell: ({ created_by }) => created_by ?? '' },
          { header: 'Saved', className: 'hidden text-dim sm:table-cell', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            header: <span className="sr-only">Actions</span>,
            className: 'relative text-right whitespace-nowrap',
            cell: (version) => (
              <span className="inline-flex gap-1">
                {version.number > 1 && (
                  <Link to="/$workspace/workflows/$workflow" params={params} search={{ tab: 'compare', version: version.number, compare: version.number - 1 }} className={buttonClass('quiet', true)} aria-label={`Compare version ${version.number} with the previous one`}>
                    <GitCompareArrows /> <span className="max-md:hidden">Compare</span>
                  </Link>
                )}
                {mayEdit && version.number !== newest && (
                  <Button small look="quiet" onClick={() => setRestored(version)} aria-label={`Restore version ${version.number}`}>
                    <History /> <span className="max-md:hidden">Restore</span>
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      <Pager page={page} pages={versions.data.pages} total={versions.data.total} noun="versions" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
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
