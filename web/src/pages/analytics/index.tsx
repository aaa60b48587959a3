import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChartNoAxesColumn, Plus, ScrollText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMayEditAny, useSession } from '@/api/session'
import { sourcesOf } from '@/query/production-switch'
import { SavedViews } from '@/query/saved-views'
import { queryError, type QueryState } from '@/query/state'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { DashboardsMenu } from './dashboards/dashboards-menu'
import { mayNotEdit } from './dashboards/data'
import type { ChartActions } from './drawing/types'
import { AddChart } from './editor/add-chart'
import { newChartId, type ChartDefinition } from './model/definition'
import { draftOf, newDraft, type Draft } from './model/draft'
import { narrowTo, narrowToRange } from './model/pick'
import { chartsBy, errorTypeChart } from './overview/charts'
import { useAnalytics, usePrevious, useTimeCharts } from './overview/data'
import { NoRequests } from './overview/no-requests'
import { RankBy } from './overview/rank-by'
import { Rankings } from './overview/rankings'
import { SplitBy } from './overview/split-by'
import { TimeGrid } from './overview/time-grid'
import { Totals } from './overview/totals'
import { QueryStrip } from './query-strip'
import { readSearch, type Search } from './search'
import { zoomed, zoomedOut, type Shown } from './zoom'

/** The same query as for requests, as totals, charts over time and rankings. */
export default function AnalyticsPage() {
  const { workspace } = useParams({ from: '/$workspace' })
  const search = useSearch({ from: '/$workspace/analytics' })
  const navigate = useNavigate({ from: '/$workspace/analytics' })
  const change = (next: Partial<Search>) => void navigate({ search: (old) => ({ ...old, ...next }), resetScroll: false })
  const [adding, setAdding] = useState<Draft | null>(null)
  const may = useMayEditAny()
  const { q, range, from, to } = search
  const sources = sourcesOf(search.sources)
  return (
    <Page
      title="Analytics"
      actions={
        <>
          <Link to="/$workspace/requests" params={{ workspace }} search={{ q, range, from, to, sources }} className={buttonClass('quiet', true)}><ScrollText /> View requests</Link>
          <SavedViews page="analytics" current={search.view} state={{ q, range, from, to, sources: search.sources, rank: search.rank, key: search.key, by: search.by }} bare={isBare(search)} onOpen={(view, state) => void navigate({ search: { ...readSearch(state), view }, replace: isBare(search) })} />
          <DashboardsMenu />
          <Button small disabled={!may} title={may ? undefined : mayNotEdit} onClick={() => setAdding(newDraft())}><Plus /> New chart</Button>
        </>
      }
    >
      <Overview search={search} change={change} onAdd={may ? (chart) => setAdding({ ...draftOf(chart), id: newChartId() }) : undefined} />
      {adding && (
        <AddChart
          initial={adding}
          state={{ q, range, from, to, sources }}
          onClose={() => setAdding(null)}
          onAdded={(id) => {
            setAdding(null)
            void navigate({ to: '/$workspace/dashboards/$dashboard', params: { workspace, dashboard: String(id) }, search: {} })
          }}
        />
      )}
    </Page>
  )
}

/** Reports whether the URL names only a view. */
function isBare({ view, q, range, from, to, sources, rank, key, by }: Search): boolean {
  return view !== undefined && [q, range, from, to, sources, rank, key, by].every((member) => member === undefined)
}

function Overview({ search, change, onAdd }: { search: Search; change: (next: Partial<Search>) => void; onAdd?: (chart: ChartDefinition) => void }) {
  const { q, range, from, to, back } = search
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const sources = sourcesOf(search.sources)
  const state = useMemo((): QueryState => ({ q, range, from, to, sources }), [q, range, from, to, sources])
  const shown: Shown = { ...state, back }
  const payload = useAnalytics(state, search.key)
  const time = useTimeCharts(state, search.by)
  const before = usePrevious(state)
  const show = (next: Shown) => change({ q: next.q, range: next.range, from: next.from, to: next.to, sources: next.sources === sources ? search.sources : next.sources, back: next.back })
  const actions: ChartActions = {
    syncKey: 'analytics',
    onZoom: (start, end) => show(zoomed(shown, start, end)),
    onZoomOut: () => back !== undefined && show(zoomedOut(shown)),
    onNarrow: (parts) => show(narrowTo(shown, parts)),
    onNarrowRange: (field, low, high, key) => show(narrowToRange(shown, field, low, high, key)),
  }
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['w', workspace, 'analytics'] })
  const error = payload.error ?? time.error
  return (
    <>
      <QueryStrip shown={shown} onChange={show} error={error} busy={payload.isFetching || time.isFetching} onRefresh={refresh} />
      {error !== null ? (
        queryError(search) === null ? <ErrorState error={error} retry={refresh} /> : <EmptyState icon={<ChartNoAxesColumn />} title="Invalid query">Fix the error shown below the query, or clear it.</EmptyState>
      ) : payload.data === undefined ? (
        <Loading label="Loading analytics" />
      ) : payload.data.totalRequests === 0 ? (
        <NoRequests state={state} change={show} />
      ) : (
        <div className="flex flex-col gap-3 p-4 md:px-5">
          <Totals now={payload.data} before={before.data} faded={payload.isPlaceholderData} />
          <SplitBy value={search.by} metadataKeys={(payload.data.metadataKeysTop ?? []).map(({ key = '' }) => key)} onChange={(by) => change({ by })} />
          <TimeGrid charts={time.data?.charts ?? chartsBy(search.by)} asked={time.data} faded={time.isPlaceholderData} actions={actions} onAdd={onAdd} />
          <RankBy value={search.rank ?? 'requests'} onChange={(rank) => change({ rank: rank === 'requests' ? undefined : rank })} />
          <Rankings
            payload={payload.data}
            models={time.data?.answers.get('models')}
            errors={time.data?.answers.get(errorTypeChart.id)}
            rank={search.rank ?? 'requests'}
            metadataKey={search.key}
            onMetadataKey={(key) => change({ key })}
            onNarrow={(parts) => parts.length > 0 && show(narrowTo(shown, parts))}
            onAdd={onAdd}
          />
        </div>
      )}
    </>
  )
}
