import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListTree, RefreshCw } from 'lucide-react'
import { ApiError } from '@/api/client'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { traces, type TraceSortField } from '@/query/fields'
import { QueryBar } from '@/query/query-bar'
import { addFilter, narrow, queryError } from '@/query/state'
import { rangeWords, TimeRange } from '@/query/time-range'
import { QueryVocabulary } from '@/query/vocabulary-context'
import { Button, IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import type { Search } from '../search'
import { columnsOf } from './columns'
import { Histogram } from './histogram'
import { pageQuery, type TraceItem } from './list-query'
import { useListQuery } from './use-list'

/** The traces that match a query. */
export function TraceList() {
  const search = useSearch({ from: '/$workspace/traces' })
  const navigate = useNavigate({ from: '/$workspace/traces' })
  const change = (next: Partial<Search>) => void navigate({ search: (old) => ({ ...old, page: undefined, ...next }) })
  const [list, refresh] = useListQuery(search)
  const page = search.page ?? 1
  const answer = useQuery(pageQuery(list, page))
  const sort = (field: TraceSortField) => change({ sort: field, order: list.sort === field && list.order === 'desc' ? 'asc' : 'desc' })
  const open = (item: TraceItem) => void navigate({ to: '/$workspace/traces/$trace', params: { workspace: String(list.workspace), trace: item.trace_id }, search: {} })
  const columns = columnsOf({ list, onSort: sort, onFilter: (field, value) => change({ q: addFilter(search, field, value, undefined, traces).q }) })
  return (
    <QueryVocabulary value={traces}>
      <Page title="Traces" fill>
        <div className="flex flex-wrap items-start gap-2 border-b border-line bg-surface px-4 py-2 md:px-5">
          <QueryBar className="min-w-full flex-1 sm:min-w-0" state={search} onChange={(next) => change({ q: next.q })} error={isRefused(answer.error) ? answer.error : undefined} />
          <TimeRange state={search} onChange={({ range, from, to }) => change({ range, from, to })} />
        </div>
        {answer.error === null && (
          <div className="border-b border-line bg-surface pt-1.5">
            <div className="flex items-center gap-2 px-4 pb-1 text-[13px] md:px-5">
              <p role="status" className="tabular"><Total total={answer.data?.total} /><span className="text-faint"> · {lowerFirst(rangeWords(search))}</span></p>
              <IconButton small label="Refresh" className="size-6" onClick={refresh}><RefreshCw className={cn(answer.isFetching && 'animate-spin')} /></IconButton>
            </div>
            <Histogram list={list} ready={answer.data !== undefined} onNarrow={(from, to) => { const next = narrow(search, from, to); change({ range: next.range, from: next.from, to: next.to }) }} />
          </div>
        )}
        {answer.error !== null ? (
          <Failure error={answer.error} search={search} retry={() => void answer.refetch()} />
        ) : answer.data === undefined ? (
          <Loading label="Loading traces" />
        ) : answer.data.total === 0 ? (
          <NothingFound search={search} change={change} />
        ) : (
          <div role="region" aria-label="Traces" tabIndex={-1} className={cn('min-h-0 flex-1 overflow-auto bg-surface text-[13px]', answer.isPlaceholderData && 'opacity-60')}>
            <SimpleTable label="Traces" rows={answer.data.items} rowKey={(item) => item.trace_id} onOpen={open} columns={columns} />
            <Pager page={page} pages={answer.data.pages} total={answer.data.total} noun="traces" onPage={(next) => change({ page: next })} />
          </div>
        )}
      </Page>
    </QueryVocabulary>
  )
}

/** Reports whether the server refused the query itself. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function Total({ total }: { total: number | undefined }) {
  if (total === undefined) return <span className="text-faint">Counting…</span>
  return <><strong className="font-semibold">{count(total)}</strong> {total === 1 ? 'trace' : 'traces'}</>
}

function Failure({ error, search, retry }: { error: Error; search: Search; retry: () => void }) {
  // The error itself is shown below the query.
  if (queryError(search, traces) !== null) return <EmptyState title="Invalid query">Fix the error shown below the query, or clear it.</EmptyState>
  if (isRefused(error)) return <EmptyState title="Query refused">Fix the problem shown below the query, or clear it.</EmptyState>
  return <ErrorState error={error} retry={retry} />
}

function NothingFound({ search, change }: { search: Search; change: (next: Partial<Search>) => void }) {
  const narrowed = search.range !== 'all'
  if (!narrowed && search.q === undefined) {
    return <EmptyState title="No traces yet" icon={<ListTree />}>Send spans with an OpenTelemetry exporter to <code className="font-mono">/v1/traces</code> to see your agents as trees of calls.</EmptyState>
  }
  return (
    <EmptyState
      title="No matching traces"
      action={
        <div className="flex gap-2">
          {narrowed && <Button onClick={() => change({ range: 'all', from: undefined, to: undefined })}>Search all time</Button>}
          {search.q !== undefined && <Button onClick={() => change({ q: undefined })}>Clear query</Button>}
        </div>
      }
    >
      {`No traces${search.q === undefined ? '' : ' match the query'} in this time range: ${lowerFirst(rangeWords(search))}.`}
    </EmptyState>
  )
}
