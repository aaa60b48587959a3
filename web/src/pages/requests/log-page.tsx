import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { ApiError } from '@/api/client'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { ProductionSwitch } from '@/query/production-switch'
import { QueryBar } from '@/query/query-bar'
import { SavedViews } from '@/query/saved-views'
import { narrow, queryError, timeSpan } from '@/query/state'
import { rangeWords, TimeRange } from '@/query/time-range'
import type { RequestItem } from '@/request/data'
import { Button, IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { ColumnMenu } from './column-menu'
import { columnsOf, ListAddress } from './columns'
import { Histogram } from './histogram'
import { LiveButton } from './live-button'
import { anyQuery } from './log-query'
import { LogTable, type Step } from './log-table'
import { MoreMenu } from './more-menu'
import { none, SelectedActions, toggled, type Selected } from './selected'
import { readSearch, type Search, type Sort } from './search'
import { useColumnIds } from './use-columns'
import { isNewestFirst, useLog, type Log } from './use-log'

// Load what the rows do not need after them.
const FirstVisit = lazy(() => import('./first-visit'))
const loadPanel = () => import('./panel/panel')
const RequestPanel = lazy(loadPanel)

/** The request log: the query, the histogram, the rows, and the open request. */
export function LogPage() {
  const search = useSearch({ from: '/$workspace/requests' })
  const navigate = useNavigate({ from: '/$workspace/requests' })
  const change = useCallback((next: Partial<Search>, replace = false) => void navigate({ search: (old) => ({ ...old, ...next }), replace, resetScroll: false }), [navigate])
  const log = useLog(search)
  const [columnIds, setColumnIds] = useColumnIds(search.columns, (columns) => change({ columns }, true))
  const columns = useMemo(() => columnsOf(columnIds), [columnIds])
  const [cursor, setCursor] = useState(-1)
  const [selected, setSelected] = useState(none)
  const maySelect = useMay('MANAGE_DATA')
  const select = useCallback((id: number) => setSelected((old) => toggled(old, id)), [])
  const [cursorOf, setCursorOf] = useState(log.query)
  if (cursorOf !== log.query) {
    setCursorOf(log.query)
    setCursor(-1)
    setSelected(none)
  }
  const step = useRef<Step>(null)
  const open = useCallback((item: RequestItem, index: number) => {
    setCursor(index)
    // Moving between requests adds only one entry to the history.
    change({ request: item.id }, search.request !== undefined)
  }, [change, search.request])
  const sort = (field: Sort) => change({ sort: field, order: log.wanted.sort === field && log.wanted.order === 'desc' ? 'asc' : 'desc', live: undefined })
  const goLive = (on: boolean) => {
    change(on ? { live: true, sort: undefined, order: undefined } : { live: undefined }, true)
    log.refresh()
  }
  const first = useFirstVisit(log, search, change)
  if (first !== null) return first
  return (
    <Page
      title="Requests"
      fill
      actions={
        <>
          <SavedViews page="requests" current={search.view} state={viewState(search, columnIds)} bare={isBare(search)} onOpen={(view, state) => change({ ...cleared, ...readSearch(state), request: search.request, view }, isBare(search))} />
          <ColumnMenu ids={columnIds} onChange={setColumnIds} context={search} />
          <LiveButton on={search.live === true} interrupted={log.interrupted} onChange={goLive} />
          <MoreMenu log={log} search={search} />
        </>
      }
    >
      <div className="flex flex-wrap items-start gap-2 border-b border-line bg-surface px-4 py-2 md:px-5">
        <QueryBar className="min-w-full flex-1 sm:min-w-0" state={search} onChange={(next) => change({ q: next.q })} error={isRefused(log.error) ? log.error : undefined} />
        <TimeRange state={search} onChange={({ range, from, to }) => change({ range, from, to })} />
        <ProductionSwitch state={search} onChange={(sources) => change({ sources: sources === 'all' ? undefined : sources })} />
      </div>
      {log.error === null && (
        <div className="border-b border-line bg-surface pt-1.5">
          <Summary log={log}>{selected.size > 0 && <SelectedActions selected={selected} onDeleted={log.refresh} onClear={() => setSelected(none)} />}</Summary>
          <Histogram log={log.query} ready={log.total !== undefined} live={search.live === true && log.interrupted === null} onNarrow={(from, to) => { const next = narrow(search, from, to); change({ range: next.range, from: next.from, to: next.to }) }} />
        </div>
      )}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div aria-hidden className={cn('absolute inset-x-0 top-0 z-20 h-0.5 overflow-hidden', log.loading && log.total !== undefined ? 'opacity-100' : 'opacity-0')}>
          <div className="h-full w-full animate-pulse bg-accent" />
        </div>
        <Rows {...{ log, columns, search, cursor, setCursor, open, sort, change, step }} selected={maySelect ? selected : undefined} onSelect={select} onMove={(id, before) => setColumnIds(moved(columnIds, id, before))} />
        {log.waiting > 0 && (
          <Button look="primary" small className="absolute top-10 left-1/2 z-20 -translate-x-1/2 rounded-full shadow-pop" onClick={() => { log.showWaiting(); document.querySelector('[aria-label="Requests"][role=region]')?.scrollTo({ top: 0 }) }}>
            {count(log.waiting)} new
          </Button>
        )}
      </div>
      <Panel search={search} change={change} onStep={(by) => step.current?.(by)} />
    </Page>
  )
}

/** The panel, rendered once the first request is opened. */
function Panel({ search, change, onStep }: { search: Search; change: (next: Partial<Search>, replace?: boolean) => void; onStep: Step }) {
  const [wanted, setWanted] = useState(search.request !== undefined)
  if (!wanted && search.request !== undefined) setWanted(true)
  useEffect(() => {
    // Most users open a request, so load the panel while they read the list.
    const timer = setTimeout(() => void loadPanel(), 1500)
    return () => clearTimeout(timer)
  }, [])
  return wanted ? <Suspense><RequestPanel id={search.request} tab={search.tab} search={search} change={change} onStep={onStep} /></Suspense> : null
}

/** Shows the first-visit page until the workspace has a request. */
function useFirstVisit(log: Log, search: Search, change: (next: Partial<Search>, replace?: boolean) => void) {
  const [first, setFirst] = useState(false)
  const { refresh } = log
  const some = useQuery({ ...anyQuery(log.query.workspace), enabled: log.total === 0 && search.q === undefined }).data
  if (!first && some === null && log.total === 0) setFirst(true)
  if (first && log.total !== undefined && log.total > 0) setFirst(false)
  const arrive = useCallback((request: RequestItem) => {
    // Logs can be imported with times that the default range does not show.
    const { from } = timeSpan({})
    const recent = request.request_start_time != null && Date.parse(request.request_start_time) >= (from ?? 0)
    change({ live: true, range: recent ? undefined : 'all', from: undefined, to: undefined, request: request.id }, true)
    refresh()
  }, [change, refresh])
  return first ? <Suspense fallback={<Loading />}><FirstVisit onArrival={arrive} /></Suspense> : null
}

const cleared: Search = { q: undefined, range: undefined, from: undefined, to: undefined, sources: undefined, sort: undefined, order: undefined, columns: undefined, live: undefined, tab: undefined }

function moved(ids: string[], id: string, before: string): string[] {
  const rest = ids.filter((other) => other !== id)
  const at = rest.indexOf(before)
  return ids.includes(id) && at >= 0 && id !== before ? [...rest.slice(0, ids.indexOf(id) <= at ? at + 1 : at), id, ...rest.slice(ids.indexOf(id) <= at ? at + 1 : at)] : ids
}

/** Reports whether the server refused the query itself. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422)
}

/** Reports whether the URL names only a view. */
function isBare({ view, q, range, from, to, sources, sort, columns }: Search): boolean {
  return view !== undefined && [q, range, from, to, sources, sort, columns].every((member) => member === undefined)
}

/** The state that a saved view stores. */
function viewState({ q, range, from, to, sources, sort, order }: Search, columns: string[]) {
  return { q, range, from, to, sources, sort, order, columns: columns.join(',') }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function Summary({ log, children }: { log: Log; children: ReactNode }) {
  return (
    <div className="flex items-center gap-2 px-4 pb-1 text-[13px] md:px-5">
      <p role="status" className="tabular">
        {log.total === undefined ? <span className="text-faint">Counting…</span> : <><strong className="font-semibold">{count(log.total)}</strong> {log.total === 1 ? 'request' : 'requests'}</>}
        {log.query.state.q !== undefined && log.total !== undefined && <span className="text-faint"> match</span>}
        <span className="text-faint"> · {lowerFirst(rangeWords(log.query.state))}</span>
      </p>
      <IconButton small label="Refresh" className="size-6" onClick={log.refresh}><RefreshCw className={cn(log.loading && 'animate-spin')} /></IconButton>
      {children}
    </div>
  )
}

interface RowsProps {
  log: Log
  columns: ReturnType<typeof columnsOf>
  search: Search
  cursor: number
  setCursor: (index: number) => void
  open: (item: RequestItem, index: number) => void
  sort: (field: Sort) => void
  onMove: (id: string, before: string) => void
  /** The ids of the selected requests; undefined if none can be selected. */
  selected: Selected | undefined
  onSelect: (id: number) => void
  change: (next: Partial<Search>) => void
  step: React.Ref<Step>
}

function Rows({ log, columns, search, cursor, setCursor, open, sort, onMove, selected, onSelect, change, step }: RowsProps) {
  const router = useRouter()
  if (log.error !== null) {
    // The error itself is shown below the query.
    if (queryError(search) !== null) return <EmptyState title="Invalid query">Fix the error shown below the query, or clear it.</EmptyState>
    if (isRefused(log.error)) return <EmptyState title="Query refused">Fix the problem shown below the query, or clear it.</EmptyState>
    return <ErrorState error={log.error} retry={log.refresh} />
  }
  if (log.total === undefined) return <Loading label="Loading requests" />
  const address = router.buildLocation({ to: '/$workspace/requests', params: { workspace: String(log.query.workspace) }, search: { ...search, request: undefined } }).href
  if (log.count === 0) return <NothingFound search={search} live={search.live === true && isNewestFirst(log.query)} change={change} />
  return (
    <ListAddress value={address}>
      <LogTable log={log} columns={columns} open={search.request} cursor={cursor} onCursor={setCursor} onOpen={open} onSort={sort} onMove={onMove} selected={selected} onSelect={onSelect} stepRef={step} />
    </ListAddress>
  )
}

function NothingFound({ search, live, change }: { search: Search; live: boolean; change: (next: Partial<Search>) => void }) {
  const narrowed = search.range !== 'all'
  return (
    <EmptyState
      title="No matching requests"
      action={
        <div className="flex gap-2">
          {narrowed && <Button onClick={() => change({ range: 'all', from: undefined, to: undefined })}>Search all time</Button>}
          {search.q !== undefined && <Button onClick={() => change({ q: undefined })}>Clear query</Button>}
          {search.sources === 'production' && <Button onClick={() => change({ sources: undefined })}>Show all sources</Button>}
        </div>
      }
    >
      {live ? 'Waiting for new requests.' : `No requests${search.q === undefined ? '' : ' match the query'} in this time range: ${lowerFirst(rangeWords(search))}.`}
    </EmptyState>
  )
}
