import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download, GitCompareArrows } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { buttonClass, IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { VersionLabels } from '@/ui/version-labels'
import { versionsQuery, type Skill } from '../data'
import { useLabelActions } from './label-actions'
import { useArchive } from './use-archive'

/** All versions, newest first. */
export function VersionsTab({ skill }: { skill: Skill }) {
  const workspace = useSession().workspace_id
  const params = useParams({ from: '/$workspace/skills/$skill' })
  const search = useSearch({ from: '/$workspace/skills/$skill' })
  const navigate = useNavigate({ from: '/$workspace/skills/$skill' })
  const archive = useArchive(skill)
  const mayDeploy = useMay('SKILL_DEPLOY')
  const changes = useLabelActions(skill)
  const page = search.page ?? 1
  const versions = useQuery(versionsQuery(workspace, skill.id, page))
  if (versions.isError) return <ErrorState error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Loading />
  if (versions.data.total === 0) return <EmptyState title="No versions yet">Save files to create the first version.</EmptyState>
  const link = '/$workspace/skills/$skill' as const
  return (
    <>
      <SimpleTable
        label="Versions"
        rows={versions.data.items}
        rowKey={({ id }) => id}
        onOpen={({ number }) => void navigate({ search: { version: number } })}
        selected={({ number }) => number === search.version}
        columns={[
          { header: 'Version', className: 'w-20', cell: ({ number }) => <Link to={link} params={params} search={{ version: number }} className="tabular font-medium text-accent-ink hover:underline">{number}</Link> },
          { header: 'Labels', className: 'whitespace-normal', cell: (version) => <VersionLabels version={version} versions={versions.data.items} changes={changes} may={mayDeploy} /> },
          { header: 'What changed', className: 'w-full', cell: ({ commit_message }) => commit_message || <span className="text-faint">no message</span> },
          { header: 'Files', className: 'tabular hidden text-right md:table-cell', cell: ({ file_count }) => file_count },
          { header: 'Saved by', className: 'hidden text-dim lg:table-cell', cell: ({ created_by }) => created_by ?? '' },
          { header: 'Saved', className: 'text-dim', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            header: <span className="sr-only">Actions</span>,
            className: 'text-right',
            cell: ({ number }) => (
              <span className="inline-flex items-center gap-1">
                {number > 1 && <Link to={link} params={params} search={{ tab: 'compare', version: number, compare: number - 1 }} className={buttonClass('quiet', true)} title={`Compare with version ${number - 1}`}><GitCompareArrows /> <span className="sr-only lg:not-sr-only">Compare</span></Link>}
                <IconButton small label={`Download version ${number} as zip`} onClick={() => void archive(number)}><Download /></IconButton>
              </span>
            ),
          },
        ]}
      />
      <Pager page={page} pages={versions.data.pages} total={versions.data.total} noun="versions" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
    </>
  )
}
