import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { GitCompareArrows, Play } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { buttonClass } from '@/ui/button'
import { ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { VersionLabels } from '@/ui/version-labels'
import { versionsQuery } from '../data'
import { useLabelActions } from './label-actions'

const languages: Record<string, string> = { javascript: 'JavaScript', python: 'Python' }

/** All versions, newest first. */
export function VersionsTab({ tool, name }: { tool: number; name: string }) {
  const workspace = useSession().workspace_id
  const params = useParams({ from: '/$workspace/tools/$tool' })
  const search = useSearch({ from: '/$workspace/tools/$tool' })
  const navigate = useNavigate({ from: '/$workspace/tools/$tool' })
  const mayDeploy = useMay('TOOL_DEPLOY')
  const changes = useLabelActions(tool, name)
  const page = search.page ?? 1
  const versions = useQuery(versionsQuery(workspace, tool, page))
  if (versions.isError) return <ErrorState error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Loading />
  const link = '/$workspace/tools/$tool' as const
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
          { header: 'Function', className: 'hidden md:table-cell', cell: ({ function_name }) => <code className="font-mono text-xs">{function_name}</code> },
          { header: 'Code', className: 'hidden text-dim md:table-cell', cell: ({ language }) => (language === null ? <span className="text-faint">none</span> : (languages[language] ?? language)) },
          { header: 'Saved by', className: 'hidden text-dim lg:table-cell', cell: ({ created_by }) => created_by ?? '' },
          { header: 'Saved', className: 'text-dim', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            header: <span className="sr-only">Actions</span>,
            className: 'text-right',
            cell: ({ number, language }) => (
              <span className="inline-flex items-center gap-1">
                {number > 1 && <Link to={link} params={params} search={{ tab: 'compare', version: number, compare: number - 1 }} className={buttonClass('quiet', true)} title={`Compare with version ${number - 1}`}><GitCompareArrows /> <span className="sr-only lg:not-sr-only">Compare</span></Link>}
                {language !== null && <Link to={link} params={params} search={{ tab: 'test', version: number }} className={buttonClass('quiet', true)} title={`Test version ${number}`}><Play /> <span className="sr-only lg:not-sr-only">Test</span></Link>}
              </span>
            ),
          },
        ]}
      />
      <Pager page={page} pages={versions.data.pages} total={versions.data.total} noun="versions" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
    </>
  )
}
