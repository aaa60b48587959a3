import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'

export type RequestItem = Schemas['SearchItem']

/** A complete request with its input and output, whose texts are as logged. */
export function detailQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'requests', 'detail', id],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/requests/{request_id}', { params: { path: { request_id: id }, query: { escape: false } }, signal })),
    staleTime: 5 * 60_000,
    // Previews load many requests, which can be long.
    gcTime: 60_000,
  })
}

/** A complete request with the input variables that it was logged with. */
export function replayQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'requests', 'replay', id],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/requests/{request_id}', { params: { path: { request_id: id }, query: { escape: false, include_variables: true } }, signal })),
    staleTime: 5 * 60_000,
  })
}

/** The list item of one request: its details lack tags, metadata and scores. */
export function itemQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'requests', 'item', id],
    queryFn: async ({ signal }) => {
      const filter = { logic: 'AND' as const, filters: [{ field: 'pl_id' as const, operator: 'is' as const, value: id }] }
      const found = await call(api.POST('/api/public/v2/requests/search', { body: { filter_group: filter, page: 1, per_page: 1, include_prompt_name: true }, signal }))
      return found.items[0] ?? null
    },
  })
}
