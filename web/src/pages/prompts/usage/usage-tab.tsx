import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { useMemo } from 'react'
import { useSession } from '@/api/session'
import { compact, count, duration, money, percent } from '@/lib/format'
import { ProductionSwitch, rememberSources, sourcesOf } from '@/query/production-switch'
import { narrow, type QueryState } from '@/query/state'
import { TimeRange } from '@/query/time-range'
import type { Prompt } from '@/template/data'
import { buttonClass } from '@/ui/button'
import { TimeChart } from '@/ui/chart'
import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { Card, EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import type { Search } from '../search'
import { promptState, scoresQuery, usageQuery, type Scores } from './data'
import { versionLines, versionTotals, versionValue, type VersionLines, type VersionTotals } from './series'

const seconds = (value: number) => duration(value * 1000)

/** The usage, cost and performance of the versions of a prompt. */
export function UsageTab({ prompt, search }: { prompt: Prompt; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate({ from: '/$workspace/prompts/$prompt' })
  const time: QueryState = { range: search.range, from: search.from, to: search.to, sources: sourcesOf(search.sources) }
  const { data, error, refetch } = useQuery(usageQuery(workspace, prompt.id, time))
  const scores = useQuery(scoresQuery(workspace, prompt.id, time)).data
  const setTime = ({ range, from, to }: QueryState, sources = search.sources) => void navigate({ search: { tab: 'usage', range, from, to, sources } })
  const zoom = (from: number, to: number) => setTime(narrow(time, from, to))
  return (
    <div className="flex flex-col gap-3 p-4 md:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <TimeRange state={time} onChange={(next) => setTime(next)} />
        <ProductionSwitch
          state={time}
          onChange={(sources) => {
            rememberSources(sources)
            setTime(time, sources)
          }}
        />
        <Link to="/$workspace/requests" params={{ workspace: String(workspace) }} search={promptState(prompt.id, time)} className={`${buttonClass()} ml-auto`}>View requests</Link>
      </div>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && data === undefined && <Loading />}
      {data && <Usage prompt={prompt} time={time} charts={data} scores={scores} onZoom={zoom} />}
    </div>
  )
}

type Charts = Awaited<ReturnType<Extract<ReturnType<typeof usageQuery>['queryFn'], (...all: never[]) => unknown>>>

function Usage({ prompt, time, charts, scores, onZoom }: { prompt: Prompt; time: QueryState; charts: Charts; scores: Scores | undefined; onZoom: (from: number, to: number) => void }) {
  const theme = useChartTheme()
  const { totals, counts, averages } = useMemo(
    () => ({
      totals: versionTotals({ requests: charts['total-requests'], errors: charts['total-errors'], tokens: charts['total-tokens'], models: charts.models, cost: charts['total-cost'], latency: charts['total-latency'], p95: charts['total-p95'] }),
      // Counts and sums are zero in empty buckets; the charts of a page share their buckets.
      counts: versionLines({ requests: charts.requests, cost: charts.cost, errors: charts.errors }, 'zero'),
      averages: versionLines({ requests: charts.requests, latency: charts.latency }, 'none'),
    }),
    [charts],
  )
  const colours = useMemo(() => new Map(totals.map(({ version }, index) => [version, seriesColour(index, theme)])), [totals, theme])
  if (totals.length === 0) {
    return (
      <EmptyState title="No requests in this time range" icon={<ChartNoAxesColumn />}>
        {time.sources === 'production' && 'Requests of the playground and of evaluations are left out. '}To see requests here, log them with prompt_name and prompt_version_number, or use a client library to fetch and run the prompt.
      </EmptyState>
    )
  }
  const shared = { colours, onZoom, syncKey: `prompt-${prompt.id}` }
  return (
    <>
      <Card className="[&>div]:p-0"><TotalsTable prompt={prompt} time={time} totals={totals} scores={scores} colours={colours} /></Card>
      <div className="grid gap-3 lg:grid-cols-2">
        <VersionChart title="Requests" data={counts.requests} format={compact} {...shared} />
        <VersionChart title="Errors" data={counts.errors} format={compact} {...shared} />
        <VersionChart title="Cost" data={counts.cost} format={money} {...shared} />
        <VersionChart title="Average latency" data={averages.latency} format={seconds} line {...shared} />
      </div>
    </>
  )
}

function VersionChart({ title, data, format, colours, onZoom, syncKey, line = false }: {
  title: string
  data: VersionLines | undefined
  format: (value: number) => string
  colours: Map<string, string>
  onZoom: (from: number, to: number) => void
  syncKey: string
  line?: boolean
}) {
  const series = useMemo(() => (data?.lines ?? []).map(({ version, values }) => ({ label: `v${version}`, values, colour: colours.get(version) })), [data, colours])
  // Buckets of days start at midnight UTC.
  const days = data !== undefined && data.times.every((time) => time % 86_400 === 0)
  return (
    <Card title={title}>
      {data === undefined || series.length === 0 ? (
        <p className="py-14 text-center text-faint">None in this time range</p>
      ) : (
        <TimeChart label={`${title} by version over time`} times={data.times} series={series} kind={line ? 'line' : 'stacked'} format={format} height={170} syncKey={syncKey} onZoom={onZoom} utc={days} />
      )}
    </Card>
  )
}

function TotalsTable({ prompt, time, totals, scores, colours }: { prompt: Prompt; time: QueryState; totals: VersionTotals[]; scores: Scores | undefined; colours: Map<string, string> }) {
  const { workspace_id } = useSession()
  const params = { workspace: String(workspace_id) }
  const number = 'text-right tabular whitespace-nowrap'
  return (
    <SimpleTable
      label="Usage by version"
      rows={totals}
      rowKey={({ version }) => version}
      columns={[
        {
          header: 'Version',
          cell: ({ version }) => (
            <Link to="/$workspace/prompts/$prompt" params={{ ...params, prompt: String(prompt.id) }} search={{ version: Number(version) }} className="inline-flex items-center gap-2 font-medium hover:underline">
              <span aria-hidden className="size-2.5 rounded-sm" style={{ background: colours.get(version) }} /> Version {version}
            </Link>
          ),
        },
        { header: 'Requests', cell: ({ requests, version }) => <Link to="/$workspace/requests" params={params} search={promptState(prompt.id, time, version)} className="text-accent-ink hover:underline">{count(requests)}</Link>, className: number },
        { header: 'Models', cell: ({ models }) => <Models all={models} />, className: 'hidden md:table-cell' },
        { header: 'Tokens', cell: ({ tokens }) => compact(tokens), className: number },
        { header: 'Errors', cell: ({ errors, requests }) => (errors === 0 ? '0' : `${count(errors)} (${percent(errors / requests)})`), className: number },
        {
          header: 'Cost',
          cell: ({ cost, version }) => <Link to="/$workspace/requests" params={params} search={{ ...promptState(prompt.id, time, version), sort: 'cost', order: 'desc' }} title="View the requests, the most expensive first" className="text-accent-ink hover:underline">{money(cost)}</Link>,
          className: number,
        },
        { header: 'Cost per request', cell: ({ cost, requests }) => money(requests === 0 ? 0 : cost / requests), className: `${number} hidden md:table-cell` },
        { header: 'Latency', cell: ({ latency }) => (latency === null ? '–' : seconds(latency)), className: number },
        { header: 'p95 latency', cell: ({ p95 }) => (p95 === null ? '–' : seconds(p95)), className: `${number} hidden sm:table-cell` },
        { header: 'Mean scores', cell: ({ version }) => <MeanScores scores={scores} version={version} />, className: number },
      ]}
    />
  )
}

/** The first model, and how many more there are. */
function Models({ all }: { all: string[] }) {
  if (all.length === 0) return '–'
  return <span title={all.join('\n')}>{all[0]}{all.length > 1 && <span className="text-faint"> +{all.length - 1}</span>}</span>
}

/** A line for each score that the version has. */
function MeanScores({ scores, version }: { scores: Scores | undefined; version: string }) {
  if (scores === undefined) return <span className="text-faint">…</span>
  const means = scores.flatMap(({ name, chart }) => {
    const mean = versionValue(chart, version)
    return mean === null ? [] : [{ name, mean }]
  })
  if (means.length === 0) return '–'
  return means.map(({ name, mean }) => <div key={name}>{name !== 'default' && <span className="text-dim">{name} </span>}{mean.toFixed(0)}</div>)
}
