import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CirclePlay } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { duration, instant } from '@/lib/format'
import { Badge, StatusBadge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Select } from '@/ui/field'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { runsQuery, type Execution } from './data'
import { valueText } from './model/preview'
import { dryRunChoices, runStatuses } from './search'

/** The runs of all versions, newest first. */
export function RunsTab({ workflow, onRun }: { workflow: number; onRun: () => void }) {
  const workspace = useSession().workspace_id
  const mayRun = useMay('WORKFLOW_RUN')
  const params = useParams({ from: '/$workspace/workflows/$workflow' })
  const search = useSearch({ from: '/$workspace/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const page = search.page ?? 1
  const runs = useQuery(runsQuery(workspace, workflow, { page, status: search.status, dry: search.dry }))
  const target = (run: Execution) => ({ run: run.id, version: run.workflow_version_number })
  if (runs.isError) return <ErrorState error={runs.error} retry={() => void runs.refetch()} />
  if (runs.data === undefined) return <Loading />
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2">
        <Select aria-label="Status" value={search.status ?? ''} onChange={(event) => void navigate({ search: (old) => ({ ...old, page: undefined, status: runStatuses.find((status) => status === event.target.value) }) })}>
          <option value="">Any status</option>
          {runStatuses.map((status) => <option key={status} value={status}>{status.toLowerCase()}</option>)}
        </Select>
        <Select aria-label="Dry runs" value={search.dry ?? ''} onChange={(event) => void navigate({ search: (old) => ({ ...old, page: undefined, dry: dryRunChoices.find((choice) => choice === event.target.value) }) })}>
          <option value="">Runs of versions</option>
          <option value="only">Dry runs</option>
          <option value="include">All runs</option>
        </Select>
        <span className="tabular text-[13px] text-faint">{runs.data.total.toLocaleString('en-US')} {runs.data.total === 1 ? 'run' : 'runs'}</span>
      </div>
      {runs.data.items.length === 0 ? (
        <EmptyState
          icon={<CirclePlay />}
          title={search.status !== undefined ? 'No runs with this status' : search.dry === 'only' ? 'No dry runs yet' : 'No runs yet'}
          action={search.status === undefined && search.dry !== 'only' && mayRun ? <Button look="primary" onClick={onRun}>Run workflow</Button> : undefined}
        >
          {search.status !== undefined ? 'Choose another status to see more runs.' : search.dry === 'only' ? 'Edit the graph and run your changes before you save them.' : 'Run the workflow to see its results here.'}
        </EmptyState>
      ) : (
        <SimpleTable
          label="Runs"
          rows={runs.data.items}
          rowKey={(run) => run.id}
          onOpen={(run) => void navigate({ search: target(run) })}
          columns={[
            { header: 'Run', cell: (run) => <Link to="/$workspace/workflows/$workflow" params={params} search={target(run)} className="tabular font-medium text-accent-ink hover:underline">{run.id}</Link> },
            { header: 'Status', cell: (run) => <StatusBadge status={run.status} /> },
            { header: 'Version', className: 'tabular', cell: (run) => <span className="whitespace-nowrap">{run.workflow_version_number} {run.dry_run && <Badge>dry run</Badge>}</span> },
            { header: 'Input variables', className: 'hidden w-full md:table-cell', cell: (run) => <span className="font-mono text-xs text-dim" title={inputText(run)}>{inputText(run)}</span> },
            { header: 'Started by', className: 'hidden text-dim lg:table-cell', cell: (run) => run.started_by ?? '' },
            { header: 'Duration', className: 'tabular hidden text-right text-dim sm:table-cell', cell: (run) => (run.ended_at === null ? '' : duration(instant(run.ended_at).getTime() - instant(run.started_at).getTime())) },
            { header: 'Started', className: 'text-dim', cell: (run) => <Ago at={run.started_at} /> },
          ]}
        />
      )}
      <Pager page={page} pages={runs.data.pages} total={runs.data.total} noun="runs" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
    </>
  )
}

function inputText(run: Execution): string {
  return run.input_variables === null ? 'too large to show' : valueText(run.input_variables)
}
