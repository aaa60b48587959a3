import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useSession } from '@/api/session'
import type { RequestItem } from '@/request/data'
import { headQuery, pageQuery, pageSize, type LogQuery } from './log-query'
import type { Search } from './search'

/** The maximum number of rows: browsers limit the height of elements. */
const maxRows = 200_000

function keyOf({ q, range, from, to, sources, sort, order }: Search): string {
  return JSON.stringify([q, range, from, to, sources, sort, order])
}

export interface Log {
  /** The query of the rows. While another query loads, these are still the rows of the last one. */
  query: LogQuery
  /** The latest query. */
  wanted: LogQuery
  loading: boolean
  error: Error | null
  /** The exact number of matches; undefined before the first response. */
  total: number | undefined
  /** The number of rows that can be scrolled to. */
  count: number
  firstPage: RequestItem[]
  liveRows: RequestItem[]
  /** The number of requests that arrived while the list was scrolled down. */
  waiting: number
  /** Why new requests cannot be loaded, or null. */
  interrupted: string | null
  showWaiting: () => void
  refresh: () => void
  setAtTop: (atTop: boolean) => void
}

/** The current time. A separate function, because a query starts over during rendering. */
function now(): number {
  return Date.now()
}

/** The list for the URL. Rows of the last query stay until those of the next one are loaded. */
export function useLog(search: Search): Log {
  const { workspace_id: workspace } = useSession()
  const key = keyOf(search)
  const [asked, setAsked] = useState(key)
  const [epoch, setEpoch] = useState(now)
  if (asked !== key) {
    setAsked(key)
    setEpoch(now())
  }
  const { q, range, from, to, sources } = search
  const wanted: LogQuery = { workspace, state: { q, range, from, to, sources }, sort: search.sort ?? 'request_start_time', order: search.order ?? 'desc', epoch }
  const first = useQuery(pageQuery(wanted, 1))
  const [shown, setShown] = useState(wanted)
  if (first.data !== undefined && (shown.epoch !== wanted.epoch || keyOf(shown.state) !== keyOf(wanted.state) || shown.sort !== wanted.sort || shown.order !== wanted.order)) setShown(wanted)
  const page = useQuery({ ...pageQuery(shown, 1), enabled: false }).data
  const refresh = useCallback(() => setEpoch(Date.now()), [])
  const live = useLive(shown, search.live === true && isNewestFirst(shown), page?.items, refresh)
  const total = live.total ?? page?.total
  return {
    query: shown, wanted, loading: first.isFetching, error: first.error, total,
    count: Math.min((page?.total ?? 0) + live.rows.length, maxRows),
    firstPage: page?.items ?? [], liveRows: live.rows, waiting: live.waiting, interrupted: live.interrupted, showWaiting: live.show, refresh, setAtTop: live.setAtTop,
  }
}

/** Whether new requests belong at the top. */
export function isNewestFirst({ sort, order }: Pick<LogQuery, 'sort' | 'order'>): boolean {
  return sort === 'request_start_time' && order === 'desc'
}

interface LiveState {
  of: LogQuery
  rows: RequestItem[]
  waiting: RequestItem[]
}

const mostLiveRows = 500

/**
 * Polls the newest requests every second and collects those that are not in the
 * list yet. They are held back while the list is scrolled down. Failures are
 * retried less and less often.
 */
function useLive(query: LogQuery, on: boolean, firstPage: RequestItem[] | undefined, refresh: () => void) {
  const head = useQuery({ ...headQuery(query), enabled: on && firstPage !== undefined })
  const [broken, setBroken] = useState<string | null>(null)
  // Keep the last reason while retrying.
  const reason = head.isError ? head.error.message : head.isSuccess ? null : broken
  if (reason !== broken) setBroken(reason)
  const [atTop, setAtTop] = useState(true)
  const [state, setState] = useState<LiveState>({ of: query, rows: [], waiting: [] })
  const [seen, setSeen] = useState(head.data)
  if (state.of !== query) setState({ of: query, rows: [], waiting: [] })
  else if (head.data !== undefined && head.data !== seen && firstPage !== undefined) {
    setSeen(head.data)
    const known = new Set([...firstPage, ...state.rows, ...state.waiting].map(({ id }) => id))
    const arrived = head.data.items.filter(({ id }) => !known.has(id))
    const flood = arrived.length === pageSize || state.rows.length + state.waiting.length > mostLiveRows
    if (flood) refresh()
    else if (arrived.length > 0) setState(atTop ? { ...state, rows: [...arrived, ...state.rows] } : { ...state, waiting: [...arrived, ...state.waiting] })
  } else if (atTop && state.waiting.length > 0) {
    setState({ ...state, rows: [...state.waiting, ...state.rows], waiting: [] })
  }
  const show = useCallback(() => setAtTop(true), [])
  return { rows: state.rows, waiting: state.waiting.length, total: on ? head.data?.total : undefined, interrupted: on ? reason : null, show, setAtTop }
}

/** Loads the rows in a range of the list and a few pages around it, ahead of scrolling. */
export function useRows(log: Log, start: number, end: number): (index: number) => RequestItem | undefined {
  const live = log.liveRows.length
  const lastPage = Math.max(1, Math.ceil((log.count - live) / pageSize))
  const from = Math.max(1, pageOf(start - live) - 1)
  const to = Math.min(lastPage, pageOf(end - live) + 2)
  const wanted = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  // When the newest come first, new requests must not shift the pages.
  const newest = isNewestFirst(log.query) ? log.firstPage[0]?.request_start_time : undefined
  const pages = useQueries({ queries: wanted.map((page) => ({ ...pageQuery(log.query, page, page === 1 ? undefined : newest), enabled: page !== 1 && log.firstPage.length > 0 })) })
  return (index) => {
    if (index < live) return log.liveRows[index]
    const page = pageOf(index - live)
    const items = page === 1 ? log.firstPage : pages[page - from]?.data?.items
    return items?.[(index - live) % pageSize]
  }
}

function pageOf(index: number): number {
  return Math.floor(Math.max(0, index) / pageSize) + 1
}
