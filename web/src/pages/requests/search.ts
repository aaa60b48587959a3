import { sortFields, type SortField } from '@/query/fields'
import { readChoice, readFlag, readNumber, readText } from '@/lib/search'


/** The search parameters of the page: the query, the view, and the open request. */
export interface Search {
  /** The query as typed. */
  q?: string
  /** A range that ends now, such as 24h or 7d, or the times from and to in ISO format. */
  range?: string
  from?: string
  to?: string
  sort?: SortField
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
    ...readChoice(search, 'sort', Object.keys(sortFields) as SortField[]),
    ...readChoice(search, 'order', ['asc', 'desc']),
    ...readChoice(search, 'tab', ['raw', 'details']),
    ...readNumber(search, 'request', 'view'),
    ...readFlag(search, 'live'),
  }
}
