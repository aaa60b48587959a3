import type { UseQueryResult } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '@/api/client'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { traces } from '@/query/fields'
import { QueryBar } from '@/query/query-bar'
import { SavedViews } from '@/query/saved-views'
import { queryError, type QueryState } from '@/query/state'
import { rangeWords, TimeRange } from '@/query/time-range'
import { QueryVocabulary } from '@/query/vocabulary-context'
import { Button, IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { Pager, SimpleTable, type Column } from '@/ui/table'
import type { ListSearch } from '../search'

/** The query, order, page and view of a list, whatever it can be sorted by. */
type Change = ListSearch<string>

/** A page with what a query about traces finds, as a table. */
export function QueriedList<Item, Sort extends string>({ noun, search, read, change, answer, refresh, columns, rowKey, onOpen, actions, chart, empty }: {
  /** What is listed, in the plural. */
  noun: 'traces' | 'sessions' | 'users'
  search: ListSearch<Sort>
  /** Reads the state of a saved view. */
  read: (state: Record<string, unknown>) => ListSearch<Sort>
  change: (next: ListSearch<Sort>, replace?: boolean) => void
  answer: UseQueryResult<{ items: Item[]; total: number; pages: number }>
  refresh: () => void
  columns: Column<Item>[]
  rowKey: (item: Item) => string
  onOpen: (item: Item) => void
  /** Actions on everything that is listed. */
  actions?: ReactNode
  /** Shown between the query and the table. */
  chart?: ReactNode
  /** Shown if there is nothing at all. */
  empty: ReactNode
}) {
  const title = noun.slice(0, 1).toUpperCase() + noun.slice(1)
  return (
    <QueryVocabulary value={traces}>
      <Page
        title={title}
        fill
        actions={<SavedViews page={noun} current={search.view} state={viewState(search)} bare={isBare(search)} onOpen={(view, state) => change({ ...cleared, ...read(state), view }, isBare(search))} />}
      >
        <div className="flex flex-wrap items-start gap-2 border-b border-line bg-surface px-4 py-2 md:px-5">
          <QueryBar className="min-w-full flex-1 sm:min-w-0" state={search} onChange={(next) => change({ q: next.q })} error={isRefused(answer.error) ? answer.error : undefined} />
          <TimeRange state={search} onChange={({ range, from, to }) => change({ range, from, to })} />
        </div>
        {answer.error === null && (
          <div className="border-b border-line bg-surface pt-1.5">
            <div className="flex items-center gap-2 px-4 pb-1 text-[13px] md:px-5">
              <p role="status" className="tabular"><Total total={answer.data?.total} noun={noun} /><span className="text-faint"> · {lowerFirst(rangeWords(search))}</span></p>
              <IconButton small label="Refresh" className="size-6" onClick={refresh}><RefreshCw className={cn(answer.isFetching && 'animate-spin')} /></IconButton>
              {actions}
            </div>
            {chart}
          </div>
        )}
        {answer.error !== null ? (
          <Failure error={answer.error} search={search} retry={() => void answer.refetch()} />
        ) : answer.data === undefined ? (
          <Loading label={`Loading ${noun}`} />
        ) : answer.data.total === 0 ? (
          <NothingFound noun={noun} search={search} change={change} empty={empty} />
        ) : (
          <div role="region" aria-label={title} tabIndex={-1} className={cn('min-h-0 flex-1 overflow-auto bg-surface text-[13px]', answer.isPlaceholderData && 'opacity-60')}>
            <SimpleTable label={title} rows={answer.data.items} rowKey={rowKey} onOpen={onOpen} columns={columns} />
            <Pager page={search.page ?? 1} pages={answer.data.pages} total={answer.data.total} noun={noun} onPage={(page) => change({ page })} />
          </div>
        )}
      </Page>
    </QueryVocabulary>
  )
}

const cleared = { q: undefined, range: undefined, from: undefined, to: undefined, sort: undefined, order: undefined }

/** The state that a saved view stores. */
function viewState({ q, range, from, to, sort, order }: Change) {
  return { q, range, from, to, sort, order }
}

/** Reports whether the URL names only a view, whose state is to be applied. */
function isBare(search: Change): boolean {
  return search.view !== undefined && Object.values(viewState(search)).every((member) => member === undefined)
}

/** Reports whether the server refused the query itself. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function Total({ total, noun }: { total: number | undefined; noun: string }) {
  if (total === undefined) return <span className="text-faint">Counting…</span>
  return <><strong className="font-semibold">{count(total)}</strong> {total === 1 ? noun.slice(0, -1) : noun}</>
}

function Failure({ error, search, retry }: { error: Error; search: Change; retry: () => void }) {
  // The error itself is shown below the query.
  if (queryError(search, traces) !== null) return <EmptyState title="Invalid query">Fix the error shown below the query, or clear it.</EmptyState>
  if (isRefused(error)) return <EmptyState title="Query refused">Fix the problem shown below the query, or clear it.</EmptyState>
  return <ErrorState error={error} retry={retry} />
}

function NothingFound({ noun, search, change, empty }: { noun: string; search: Change; change: (next: QueryState) => void; empty: ReactNode }) {
  const narrowed = search.range !== 'all'
  if (!narrowed && search.q === undefined) return empty
  return (
    <EmptyState
      title={`No matching ${noun}`}
      action={
        <div className="flex gap-2">
          {narrowed && <Button onClick={() => change({ range: 'all', from: undefined, to: undefined })}>Search all time</Button>}
          {search.q !== undefined && <Button onClick={() => change({ q: undefined })}>Clear query</Button>}
        </div>
      }
    >
      {`No ${noun}${search.q === undefined ? '' : ' match the query'} in this time range: ${lowerFirst(rangeWords(search))}.`}
    </EmptyState>
  )
}
