import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import type { TraceSortField } from '@/query/fields'
import { traceBody, type QueryState } from '@/query/state'

export type TraceItem = Schemas['TraceItem']

export const pageSize = 50

/** A list of traces, sessions or users: the query, the order, and the time of the query. */
export interface ListQuery<Sort extends string = TraceSortField> {
  workspace: number
  state: QueryState
  sort: Sort
  order: 'asc' | 'desc'
  /** Ranges that end now are relative to this time, so that all pages cover the same range. */
  epoch: number
}

/** A page of the list, from 1. */
export function pageQuery({ workspace, state, sort, order, epoch }: ListQuery, page: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'traces', 'page', { ...state, sort, order, epoch, page }],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/traces/search', { body: { ...traceBody(state, epoch), sort_by: sort, sort_order: order, page, per_page: pageSize }, signal })),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}
