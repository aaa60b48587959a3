import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import type { SortField } from '@/query/fields'
import { requestBody, type QueryState } from '@/query/state'
import { itemQuery, type RequestItem } from '@/request/data'
import { livePause } from './live'
import { scoreName, type Sort } from './search'

type RequestPage = Schemas['SearchResponse']

/** The page size, which is the maximum of the API. */
export const pageSize = 25

/** A list of requests: the query, the order, and the time of the query. */
export interface LogQuery {
  workspace: number
  state: QueryState
  sort: Sort
  order: 'asc' | 'desc'
  /** Ranges that end now are relative to this time, so that all pages cover the same range. */
  epoch: number
}

/** The query in the API's format. */
export function searchBody({ state, sort, order, epoch }: LogQuery) {
  const name = scoreName(sort)
  const by = name === undefined ? { sort_by: sort as SortField } : { sort_by: 'scores' as const, sort_nested_key: name }
  return { ...requestBody(state, epoch), ...by, sort_order: order }
}

function pagesKey(workspace: number) {
  return ['w', workspace, 'requests', 'page'] as const
}

function logKey(log: LogQuery) {
  const { q, range, from, to, sources } = log.state
  return [{ q, range, from, to, sources, sort: log.sort, order: log.order, epoch: log.epoch }] as const
}

/**
 * A page of the list, from 1. Pages after the first exclude requests newer than
 * the newest one of the first page, so that new requests do not shift rows
 * between pages.
 */
export function pageQuery(log: LogQuery, page: number, newest?: string) {
  return queryOptions({
    queryKey: [...pagesKey(log.workspace), ...logKey(log), page],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/requests/search', { body: { ...until(searchBody(log), newest), page, per_page: pageSize, include_prompt_name: true }, signal })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

function until(body: ReturnType<typeof searchBody>, newest: string | undefined) {
  if (newest === undefined) return body
  const end = { field: 'request_start_time' as const, operator: 'between' as const, value: ['0001-01-01T00:00:00Z', newest] }
  return { ...body, filter_group: { logic: 'AND' as const, filters: [end, ...(body.filter_group?.filters ?? [])] } }
}

/** Polls the newest requests for the live tail, less often while it fails. */
export function headQuery(log: LogQuery) {
  return queryOptions({
    queryKey: ['w', log.workspace, 'requests', 'head', ...logKey(log)],
    queryFn: async ({ signal, client, queryKey }) => {
      const page = await call(api.POST('/api/public/v2/requests/search', { body: { ...searchBody(log), page: 1, per_page: pageSize, include_prompt_name: true }, signal }))
      return { ...page, failuresBefore: client.getQueryState(queryKey)?.errorUpdateCount ?? 0 }
    },
    refetchInterval: ({ state }) => livePause(state.errorUpdateCount - (state.data?.failuresBefore ?? 0)),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}

/** The list item of a request, if any loaded list has it. */
export function findItem(queryClient: QueryClient, workspace: number, id: number): RequestItem | undefined {
  for (const [, page] of queryClient.getQueriesData<RequestPage>({ queryKey: pagesKey(workspace) })) {
    const item = page?.items.find((row) => row.id === id)
    if (item !== undefined) return item
  }
  return undefined
}

/** A request of the workspace of any time, or null, polled while there is none. */
export function anyQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'requests', 'any'],
    queryFn: async ({ signal }) => (await call(api.POST('/api/public/v2/requests/search', { body: { page: 1, per_page: 1 }, signal }))).items[0] ?? null,
    refetchInterval: (query) => (query.state.data === null ? 1500 : false),
  })
}

/** Updates a request in every loaded list. */
export function replaceItem(queryClient: QueryClient, workspace: number, item: RequestItem) {
  queryClient.setQueryData(itemQuery(workspace, item.id).queryKey, item)
  queryClient.setQueriesData<RequestPage>({ queryKey: pagesKey(workspace) }, (page) => {
    if (page?.items.some(({ id }) => id === item.id) !== true) return page
    return { ...page, items: page.items.map((old) => (old.id === item.id ? item : old)) }
  })
}

/** The metadata of a request as one object. */
export function metadataOf(item: RequestItem): Record<string, unknown> {
  return Object.assign({}, ...item.metadata.filter((pair) => typeof pair === 'object' && pair !== null)) as Record<string, unknown>
}
