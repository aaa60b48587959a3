import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { textOf } from '../model/find'
import { pollDelay } from '../model/growth'
import { traceKey } from './trace-query'

/** A span as the tree shows it. */
export type OutlinedSpan = Schemas['OutlinedSpan']
export type Span = Schemas['SpanResponse']
export type Outline = Schemas['OutlineResponse']
export type TraceItem = Schemas['TraceItem']

/** The totals of a trace, null if it is not found; polled while the trace grows. */
export function itemQuery(workspace: number, id: string) {
  return queryOptions({
    queryKey: [...traceKey(workspace, id), 'item'],
    queryFn: async ({ signal }) => {
      const filter = { logic: 'AND' as const, filters: [{ field: 'trace_id' as const, operator: 'is' as const, value: id }] }
      return (await call(api.POST('/api/public/v2/traces/search', { body: { filter_group: filter, page: 1, per_page: 1 }, signal }))).items[0] ?? null
    },
    refetchInterval: ({ state }) => pollDelay(state.data, Date.now()),
  })
}

/** The trace before or after another one of the same session, null if there is none. */
export function neighbourQuery(workspace: number, { trace_id: id, session_id: session, start_time: start }: TraceItem, by: 'next' | 'previous') {
  return queryOptions({
    queryKey: [...traceKey(workspace, id), by],
    queryFn: async ({ signal }) => {
      const filters = [
        { field: 'trace_session_id' as const, operator: 'is' as const, value: session },
        { field: 'trace_start' as const, operator: by === 'next' ? ('after' as const) : ('before' as const), value: start },
      ]
      const body = { filter_group: { logic: 'AND' as const, filters }, sort_by: 'trace_start' as const, sort_order: by === 'next' ? ('asc' as const) : ('desc' as const), page: 1, per_page: 1 }
      return (await call(api.POST('/api/public/v2/traces/search', { body, signal }))).items[0] ?? null
    },
    enabled: session !== null,
    staleTime: 30_000,
  })
}

/** A span with all that is known of it. It is loaded again when it was replaced. */
export function spanQuery(workspace: number, trace: string, { span_id: id, end_time: end, status }: OutlinedSpan) {
  return queryOptions<Span>({
    queryKey: [...traceKey(workspace, trace), 'span', id, end, status.status_code],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/traces/{trace_id}/spans/{span_id}', { params: { path: { trace_id: trace, span_id: id } }, signal }))).span,
    // Another span is not shown in its place.
    placeholderData: (previous) => (previous?.span_id === id ? previous : undefined),
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  })
}

/** The texts of the spans in which the page searches, by their ids. They are most of a trace. `version` changes with the trace. */
export function textsQuery(workspace: number, id: string, version: number) {
  return queryOptions({
    queryKey: [...traceKey(workspace, id), 'texts', version],
    queryFn: async ({ signal }) => {
      const { spans, truncated } = await call(api.GET('/api/public/v2/traces/{trace_id}', { params: { path: { trace_id: id } }, signal }))
      return { texts: new Map(spans.map((span) => [span.span_id, textOf(span)])), truncated }
    },
    staleTime: Infinity,
    structuralSharing: false,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}

/** What a request cost. */
export interface Cost {
  dollars: number | undefined
  tokens: number
}

/** The page size, which is the maximum of the API. */
const pageSize = 25

/** The costs of the requests of a trace by their id. The API returns them page by page. */
export function costsQuery(workspace: number, id: string, requests: number) {
  return queryOptions({
    queryKey: [...traceKey(workspace, id), 'costs', requests],
    queryFn: async ({ signal }) => {
      const costs = new Map<number, Cost>()
      const filter = { logic: 'AND' as const, filters: [{ field: 'trace_id' as const, operator: 'is' as const, value: id }] }
      let [next, last] = [1, Math.ceil(requests / pageSize)]
      const work = async () => {
        while (next <= last) {
          const page = next++
          const found = await call(api.POST('/api/public/v2/requests/search', { body: { filter_group: filter, sort_by: 'request_start_time', sort_order: 'asc', page, per_page: pageSize }, signal }))
          last = Math.min(last, found.pages)
          for (const item of found.items) costs.set(item.id, { dollars: item.price === 0 ? undefined : item.price, tokens: item.input_tokens + item.output_tokens })
        }
      }
      await Promise.all([work(), work(), work()])
      return costs
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}
