import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowRight, ArrowRightLeft, GitCompareArrows } from 'lucide-react'
import { useSession } from '@/api/session'
import { comparisonQuery, reportQuery, runsQuery, type Run } from '@/evaluation/data'
import { shortTime } from '@/lib/format'
import { IconButton } from '@/ui/button'
import { Select, Switch } from '@/ui/field'
import { EmptyState, ErrorState, LoadError, Loading } from '@/ui/page'
import { readScore, showScore } from '../score'
import { ComparedRows } from './compared-rows'
import { Summary } from './summary'

/** Compares two runs of an evaluation: scores, then rows. */
export function CompareTab({ evaluation }: { evaluation: number }) {
  const { workspace_id: workspace } = useSession()
  const search = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const { data, error, refetch } = useQuery(runsQuery(workspace, evaluation))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.total < 2) return <EmptyState title="Nothing to compare yet" icon={<GitCompareArrows />}>You need two runs to compare. Run the evaluation again, for example after changing a prompt.</EmptyState>
  // By default the latest two completed runs.
  const ended = data.items.filter(({ status }) => status === 'COMPLETED')
  const after = search.run ?? ended[0]?.id ?? data.items[0]?.id
  const before = search.compare ?? ended.find(({ id }) => after !== undefined && id < after)?.id ?? data.items.find(({ id }) => id !== after)?.id
  if (after === undefined || before === undefined) return null
  return <Compared runs={data.items} before={before} after={after} />
}

function Compared({ runs, before, after }: { runs: Run[]; before: number; after: number }) {
  const { workspace_id: workspace } = useSession()
  const search = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const reports = [useQuery(reportQuery(workspace, before)), useQuery(reportQuery(workspace, after))]
  const chosen = reports.map(({ data }) => data)
  const lost = reports.find(({ data, error }) => data === undefined && error !== null)
  const running = chosen.find((run) => run !== undefined && run.status !== 'COMPLETED')
  const ready = chosen.every((run) => run !== undefined && run.status === 'COMPLETED')
  const { data, error, refetch } = useQuery({ ...comparisonQuery(workspace, before, after, 1), enabled: ready })
  const choose = (change: { run?: number; compare?: number }) => void navigate({ search: (old) => ({ tab: 'compare', run: after, compare: before, changed: old.changed, ...change }) })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <RunSelect label="Earlier run" runs={runs} value={before} name={chosen[0]?.report.name} onChange={(compare) => choose({ compare })} />
        <ArrowRight className="size-4 shrink-0 text-faint max-md:hidden" aria-label="compared with" />
        <RunSelect label="Later run" runs={runs} value={after} name={chosen[1]?.report.name} onChange={(run) => choose({ run })} />
        <IconButton label="Swap runs" onClick={() => choose({ run: before, compare: after })}><ArrowRightLeft /></IconButton>
        <div className="ml-auto text-[13px]">
          <Switch label="Only changed rows" checked={search.changed === true} onChange={(on) => void navigate({ search: (old) => ({ ...old, row: undefined, changed: on || undefined }) })} />
        </div>
      </div>
      {lost ? (
        <LoadError what="run" error={lost.error} retry={() => void lost.refetch()} />
      ) : running ? (
        <EmptyState title="Run in progress" icon={<GitCompareArrows />}>The comparison will appear when {running.report.name} completes.</EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <Summary comparison={data} />
          <ComparedRows key={`${before} ${after} ${search.changed ?? ''}`} comparison={data} changed={search.changed === true} />
        </>
      )}
    </>
  )
}

/** The time and the name of a run, without the time where the name has it. */
function runTitle({ name, created_at }: Run): string {
  const time = shortTime(created_at)
  return name.includes(time) ? name : `${time} · ${name}`
}

function RunSelect({ label, runs, value, name, onChange }: { label: string; runs: Run[]; value: number; name: string | undefined; onChange: (run: number) => void }) {
  const known = runs.some(({ id }) => id === value)
  return (
    <Select aria-label={label} className="min-w-0 flex-1 max-md:basis-full md:max-w-96 md:basis-32" value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {!known && <option value={value}>{name ?? `Run ${value}`}</option>}
      {runs.map((run) => <option key={run.id} value={run.id}>{showScore(readScore(run.score)?.overall)} · {runTitle(run)}</option>)}
    </Select>
  )
}
