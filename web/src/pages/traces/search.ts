import { traceSortFields, type TraceSortField } from '@/query/fields'
import { readChoice, readNumber, readText } from '@/lib/search'
import type { QueryState } from '@/query/state'

/** The search parameters of a list: its query, order and page. */
export interface ListSearch<Sort extends string> extends QueryState {
  sort?: Sort
  order?: 'asc' | 'desc'
  page?: number
  /** The saved view that the state came from. */
  view?: number
}

/** The search parameters of the list of traces, and of the page of one trace. */
export interface Search extends ListSearch<TraceSortField> {
  /** The selected span of a trace. */
  span?: string
  /** The text searched for in a trace. */
  find?: string
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readList(search, traceSortFields), ...readText(search, 'span', 'find') }
}

const groupSorts = ['last_seen', 'first_seen', 'cost', 'total_tokens', 'trace_count', 'error_count'] as const

export type GroupSort = (typeof groupSorts)[number]

/** The search parameters of the lists of sessions and users, and of the pages of one. */
export interface GroupSearch extends ListSearch<GroupSort> {
  /** What the page of a user lists. */
  tab?: 'sessions' | 'traces'
}

export function readGroupSearch(search: Record<string, unknown>): GroupSearch {
  return { ...readList(search, groupSorts), ...readChoice(search, 'tab', ['sessions', 'traces']) }
}

function readList<Sort extends string>(search: Record<string, unknown>, sorts: readonly Sort[]): ListSearch<Sort> {
  return {
    ...readText(search, 'q', 'range', 'from', 'to'),
    ...readChoice(search, 'sort', sorts),
    ...readChoice(search, 'order', ['asc', 'desc']),
    ...readNumber(search, 'page', 'view'),
  }
}
