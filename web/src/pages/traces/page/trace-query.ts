import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

export function traceKey(workspace: number, id: string) {
  return ['w', workspace, 'traces', 'trace', id] as const
}

/** What the tree and the timeline of a trace show. */
export function outlineQuery(workspace: number, id: string) {
  return queryOptions({
    queryKey: traceKey(workspace, id),
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/traces/{trace_id}/outline', { params: { path: { trace_id: id } }, signal })),
    staleTime: 30_000,
    // Traces can be large: neither compare them with their predecessor nor keep them for long.
    structuralSharing: false,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
