import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { GitCompareArrows, Play } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { runsQuery, type Run } from '@/evaluation/data'
import { Button, buttonClass } from '@/ui/button'
import { Checkbox } from '@/ui/field'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { DatasetLink } from '../page/dataset-link'
import { readScore, showChange, showScore } from '../score'
import { RunState } from './run-state'

/** The runs of an evaluation, newest first. Two of them can be selected to compare. */
export function RunList({ evaluation, canRun, onRun }: { evaluation: number; canRun: boolean; onRun: () => void }) {
  const { workspace_id: workspace } = useSession()
  const { page = 1 } = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const [chosen, setChosen] = useState<number[]>([])
  const { data, error, refetch } = useQuery(runsQuery(workspace, evaluation, page))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.total === 0) {
    return (
      <EmptyState title="No runs yet" icon={<Play />} action={canRun && <Button look="primary" onClick={onRun}><Play /> Run</Button>}>
        {canRun ? 'Run the evaluation to compute every column for every row and get a score.' : 'Add columns first. They define what is computed for every row.'}
      </EmptyState>
    )
  }
  const [before, after] = [...chosen].sort((a, b) => a - b)
  // Selecting a third run replaces the first.
  const choose = (id: number, on: boolean) => setChosen((old) => (on ? [...old.slice(-1), id] : old.filter((one) => one !== id)))
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      {data.total > 1 && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-2 text-[13px] text-dim">
          {before !== undefined && after !== undefined ? (
            <Link from="/$workspace/evaluations/$evaluation" search={{ tab: 'compare', run: after, compare: before }} className={buttonClass('plain', true)}><GitCompareArrows /> Compare selected</Link>
          ) : (
            <span className="flex h-7 items-center">Select two runs to compare them.</span>
          )}
        </div>
      )}
      <SimpleTable
        label="Runs"
        rows={data.items}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({ search: { run: id } })}
        columns={[
          { header: <span className="sr-only">Compare</span>, cell: ({ id, name }) => <Checkbox aria-label={`Select ${name} to compare`} checked={chosen.includes(id)} onChange={(event) => choose(id, event.target.checked)} />, className: 'w-8 pr-0' },
          { header: 'Run', cell: ({ id, name }) => <Link from="/$workspace/evaluations/$evaluation" search={{ run: id }} className="font-medium hover:underline">{name}</Link>, className: 'w-full max-w-0' },
          { header: 'Score', cell: (run) => <ScoreOf run={run} previous={data.items[data.items.indexOf(run) + 1]} />, className: 'text-right' },
          { header: 'Status', cell: ({ status, stats }) => <RunState status={status} counts={stats.status_counts} />, className: 'whitespace-nowrap' },
          { header: 'Dataset', cell: ({ dataset_id }) => <DatasetLink report={evaluation} dataset={dataset_id} />, className: 'hidden md:table-cell' },
          { header: 'Started', cell: ({ created_at }) => <Ago at={created_at} />, className: 'hidden text-right text-dim sm:table-cell' },
        ]}
      />
      <Pager page={data.page} pages={data.pages} total={data.total} noun="runs" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
    </div>
  )
}

/** The score of a run, and its difference from the previous run. */
function ScoreOf({ run, previous }: { run: Run; previous: Run | undefined }) {
  const now = readScore(run.score)?.overall ?? null
  const then = readScore(previous?.score)?.overall ?? null
  const change = now !== null && then !== null ? now - then : null
  return (
    <span className="tabular inline-flex items-baseline gap-2">
      {change !== null && change !== 0 && <span className={change > 0 ? 'text-xs text-good' : 'text-xs text-bad'} title={`Compared with ${previous?.name ?? ''}`}>{showChange(change)}</span>}
      <span className="font-medium">{showScore(now)}</span>
    </span>
  )
}
