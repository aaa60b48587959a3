import { readChoice, readFlag, readNumber, readText } from '@/lib/search'
import { sortFields, type SortField } from '@/query/fields'
import type { Sources } from '@/query/state'

/** What the list is ordered by: a field, or the score with a name. */
export type Sort = SortField | `score.${string}`

/** The name of the score that a column shows or the list is ordered by, undefined for anything else. */
export function scoreName(id: string): string | undefined {
  return id.startsWith('score.') && id.length > 'score.'.length ? id.slice('score.'.length) : undefined
}

function readSort(search: Record<string, unknown>): { sort?: Sort } {
  const { sort } = search
  if (typeof sort === 'string' && scoreName(sort) !== undefined) return { sort: sort as Sort }
  return readChoice(search, 'sort', Object.keys(sortFields) as SortField[])
}

/** The search parameters of the page: the query, the view, and the open request. */
export interface Search {
  /** The query as typed. */
  q?: string
  /** A range that ends now, such as 24h or 7d, or the times from and to in ISO format. */
  range?: string
  from?: string
  to?: string
  /** Whether requests of the playground and of evaluations are left out; the list has them unless it says so. */
  sources?: Sources
  sort?: Sort
  order?: 'asc' | 'desc'
  /** The visible columns, separated by commas. */
  columns?: string
  /** The request open in the panel, and its tab. */
  request?: number
  tab?: 'raw' | 'details'
  live?: true
  /** The saved view that the state came from. */
  view?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'range', 'from', 'to', 'columns'),
    ...readChoice(search, 'sources', ['production', 'all']),
    ...readSort(search),
    ...readChoice(search, 'order', ['asc', 'desc']),
    ...readChoice(search, 'tab', ['raw', 'details']),
    ...readNumber(search, 'request', 'view'),
    ...readFlag(search, 'live'),
  }
}
