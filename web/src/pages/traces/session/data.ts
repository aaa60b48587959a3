import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import type { SessionItem } from '../groups/data'
import type { TraceItem } from '../list/list-query'
import { sourceOf } from '../model/chat'
import { traceError } from '../model/error'
import { pollDelay } from '../model/growth'

const sessionKey = (workspace: number, id: string) => ['w', workspace, 'traces', 'session', id] as const

const ofSession = (id: string) => ({ field: 'trace_session_id' as const, operator: 'is' as const, value: id })

/** The totals of a session, null if it is not found; polled while it goes on. */
export function sessionQuery(workspace: number, id: string) {
  return queryOptions({
    queryKey: sessionKey(workspace, id),
    queryFn: async ({ signal }) => (await call(api.POST('/api/public/v2/sessions/search', { body: { filters: [ofSession(id)], page: 1, per_page: 1 }, signal }))).items[0] ?? null,
    refetchInterval: ({ state: { data } }) => (data ? pollDelay({ closed: false, end_time: data.last_seen }, Date.now()) : false),
  })
}

/** Larger traces are not loaded for their messages. */
export const mostSpans = 2000

/** The number of traces on a page. Each of them is loaded. */
const tracesPerPage = 10

/** A page of the traces of a session, the first first. `version` changes with the session. */
export function turnsQuery(workspace: number, id: string, page: number, version: string) {
  return queryOptions({
    queryKey: [...sessionKey(workspace, id), 'traces', page, version],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/traces/search', { body: { filters: [ofSession(id)], sort_by: 'trace_start', sort_order: 'asc', page, per_page: tracesPerPage }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}

/** Where the messages of a trace come from, and why it failed. The spans themselves are not kept. */
export function saidQuery(workspace: number, { trace_id: id, span_count: spans, end_time: end }: TraceItem) {
  return queryOptions({
    queryKey: ['w', workspace, 'traces', 'said', id, spans, end],
    queryFn: async ({ signal }) => {
      const trace = await call(api.GET('/api/public/v2/traces/{trace_id}', { params: { path: { trace_id: id } }, signal }))
      return { source: sourceOf(trace.spans), error: traceError(trace.spans) }
    },
    enabled: spans <= mostSpans,
    staleTime: Infinity,
  })
}

/** The session of the same user before or after another one, null if there is none. */
export function neighbourQuery(workspace: number, { session_id: id, user_id: user, first_seen: start }: SessionItem, by: 'next' | 'previous') {
  const next = by === 'next'
  const filters = [
    { field: 'trace_run_by_user_id' as const, operator: 'is' as const, value: user },
    { field: 'trace_session_id' as const, operator: 'is_not' as const, value: id },
    { field: 'trace_start' as const, operator: next ? ('after' as const) : ('before' as const), value: start },
  ]
  return queryOptions({
    queryKey: [...sessionKey(workspace, id), by, user, start],
    queryFn: async ({ signal }) => (await call(api.POST('/api/public/v2/sessions/search', { body: { filters, sort_by: 'first_seen', sort_order: next ? 'asc' : 'desc', page: 1, per_page: 1 }, signal }))).items[0] ?? null,
    enabled: user !== null,
    staleTime: 30_000,
  })
}
