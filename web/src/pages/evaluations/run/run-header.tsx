import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, Download, Ellipsis, GitCompareArrows, ListTree, ScrollText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { runsQuery, type Report } from '@/evaluation/data'
import { Badge } from '@/ui/badge'
import { buttonClass, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { Ago } from '@/ui/time'
import { useArchive } from '../page/archive'
import { DatasetLink } from '../page/dataset-link'
import { RenameDialog } from '../page/rename-dialog'
import { PromptLinks } from './prompt-links'
import { useRescore } from './rescore'
import { RunState } from './run-state'

const ExportDialog = lazy(() => import('@/export/export-dialog').then((module) => ({ default: module.ExportDialog })))

/** The name of the run, its dataset, and links. */
export function RunHeader({ run }: { run: Report }) {
  const { report, status, stats, report_columns: columns } = run
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const evaluation = report.parent_report_id ?? 0
  const runs = useQuery(runsQuery(workspace_id, evaluation)).data?.items ?? []
  // The latest run that ended before this one started.
  const earlier = status === 'COMPLETED' ? runs.find((one) => one.id < report.id && one.status === 'COMPLETED') : undefined
  const asks = columns.some(({ column_type }) => ['PROMPT_TEMPLATE', 'LLM_ASSERTION', 'AI_DATA_EXTRACTION', 'CONVERSATION_SIMULATOR', 'WORKFLOW', 'FOR_LOOP', 'WHILE_LOOP'].includes(column_type))
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2">
      <Link from="/$workspace/evaluations/$evaluation" search={{}} className="-ml-1 flex items-center rounded text-[13px] text-dim hover:text-ink"><ChevronLeft className="size-4" /> All runs</Link>
      <h2 className="min-w-0 truncate font-semibold">{report.name}</h2>
      {report.deleted && <Badge tone="warn">archived</Badge>}
      {report.tags.map((tag) => <Badge key={tag} tone="info">{tag}</Badge>)}
      <span className="text-[13px]"><RunState status={status} counts={stats.status_counts} /></span>
      <span className="text-[13px] text-faint"><Ago at={report.created_at} /></span>
      <DatasetLink report={evaluation} dataset={report.dataset_id} />
      <PromptLinks columns={columns} />
      <div className="ml-auto flex items-center gap-2">
        {asks && (
          <Link to="/$workspace/requests" params={{ workspace }} search={{ q: `tag:evaluate-${report.id}`, range: 'all' }} className={buttonClass('quiet', true)}><ScrollText /> View requests</Link>
        )}
        {report.trace_id !== null && (
          <Link to="/$workspace/traces/$trace" params={{ workspace, trace: report.trace_id }} search={{}} className={buttonClass('quiet', true)}><ListTree /> View trace</Link>
        )}
        {earlier && (
          <Link from="/$workspace/evaluations/$evaluation" search={{ tab: 'compare', run: report.id, compare: earlier.id }} className={buttonClass('plain', true)}><GitCompareArrows /> Compare with previous run</Link>
        )}
        <RunMenu report={report} ended={status === 'COMPLETED'} />
      </div>
      {report.comment !== null && <p className="w-full text-[13px] whitespace-pre-line text-dim">{report.comment}</p>}
    </div>
  )
}

function RunMenu({ report, ended }: { report: Report['report']; ended: boolean }) {
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const mayEdit = useMay('REPORT_EDIT') && !report.deleted
  const mayDelete = useMay('REPORT_DELETE') && !report.deleted
  const archive = useArchive()
  const rescore = useRescore(report)
  const [renaming, setRenaming] = useState(false)
  const [exporting, setExporting] = useState(false)
  const { workspace_id: workspace } = useSession()
  const remove = async () => {
    if (await archive(report)) await navigate({ search: {} })
  }
  return (
    <>
      <Menu trigger={<IconButton small label={`Actions for run ${report.name}`}><Ellipsis /></IconButton>}>
        {mayEdit && <MenuItem onSelect={() => setRenaming(true)}>Name, tags and comment…</MenuItem>}
        {mayEdit && ended && <MenuItem onSelect={() => void rescore()}>Recompute score…</MenuItem>}
        <MenuItem onSelect={() => setExporting(true)}><Download /> Export results…</MenuItem>
        <MenuItem onSelect={() => void navigator.clipboard.writeText(String(report.id))}>Copy run ID</MenuItem>
        {mayDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove()}>Archive…</MenuItem>
          </>
        )}
      </Menu>
      {renaming && <RenameDialog report={report} onClose={() => setRenaming(false)} />}
      {exporting && <Suspense><ExportDialog source={exportSource(workspace, report)} noun="rows" onClose={() => setExporting(false)} /></Suspense>}
    </>
  )
}

/** The export of a run. What is scheduled is the newest run of its evaluation. */
function exportSource(workspace: number, { id, parent_report_id }: Report['report']) {
  const query = JSON.stringify({ evaluation_id: parent_report_id ?? id })
  return { path: `/api/public/v2/evaluations/${String(id)}/export`, workspace, columns: [], scheduled: { source: 'evaluation' as const, query } }
}
