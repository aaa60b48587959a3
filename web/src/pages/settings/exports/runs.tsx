import { History } from 'lucide-react'
import { bytes, count, dateTime, percent } from '@/lib/format'
import { Badge, type Tone } from '@/ui/badge'
import { Dialog } from '@/ui/dialog'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { useSectionSearch } from '../section'
import { useRuns } from './export-data'
import type { ExportRun, SavedExport } from './export-form'

export const runTones: Record<ExportRun['state'], Tone> = { waiting: 'info', running: 'info', done: 'good', failed: 'bad', cancelled: 'neutral' }

/** The runs of an export, with their errors. */
export function RunsDialog({ saved, onClose }: { saved: SavedExport; onClose: () => void }) {
  const [search, change] = useSectionSearch()
  const list = useRuns(saved.id, search.page ?? 1)
  return (
    <Dialog open size="wide" title={`Runs of ${saved.name}`} description={saved.target.address} onOpenChange={(open) => { if (!open) onClose() }}>
      {list.isPending && <Loading />}
      {list.isError && <LoadError what="export" error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className="rounded-lg border border-line">
          {list.data.runs.length > 0 ? <RunTable runs={list.data.runs} /> : <EmptyState icon={<History />} title="No runs yet">Runs appear here when the schedule or somebody starts them.</EmptyState>}
          <Pager page={list.data.page} pages={list.data.pages} total={list.data.total} noun="runs" onPage={(page) => change({ page: page === 1 ? undefined : page })} />
        </div>
      )}
    </Dialog>
  )
}

function RunTable({ runs }: { runs: ExportRun[] }) {
  return (
    <SimpleTable
      label="Runs"
      scrolls
      rows={runs}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Started', cell: ({ created_at }) => dateTime(created_at), className: 'max-sm:px-2' },
        { header: 'By', cell: ({ scheduled, created_by }) => (scheduled ? 'Schedule' : (created_by ?? 'API key')), className: 'hidden lg:table-cell text-dim max-w-48' },
        { header: 'State', cell: StateCell, className: 'whitespace-normal max-sm:px-2' },
        { header: 'Rows', cell: ({ rows }) => count(rows), className: 'hidden sm:table-cell text-right tabular' },
        { header: 'Files', cell: ({ files }) => count(files), className: 'hidden md:table-cell text-right tabular' },
        { header: 'Size', cell: (run) => bytes(run.bytes), className: 'hidden sm:table-cell text-right tabular' },
      ]}
    />
  )
}

function StateCell({ state, progress, error, retry_at, damaged_rows }: ExportRun) {
  return (
    <span className="flex flex-col items-start gap-1">
      <Badge tone={runTones[state]}>{state === 'running' ? `running ${percent(progress)}` : state}</Badge>
      {error !== null && <span className={state === 'failed' ? 'text-[13px] text-bad' : 'text-[13px] text-dim'}>{error}</span>}
      {retry_at !== null && <span className="text-[13px] text-dim">Next attempt: {dateTime(retry_at)}</span>}
      {damaged_rows > 0 && <span className="text-[13px] text-bad">{count(damaged_rows)} damaged rows were left out</span>}
    </span>
  )
}
