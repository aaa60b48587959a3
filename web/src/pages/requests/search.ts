import { readChoice, readFlag, readNumber, readText } from '@/lib/search'

/** What a search can be ordered by. */
const sortFields = ['request_start_time', 'input_tokens', 'output_tokens', 'cost', 'latency_ms', 'status'] as const
export type SortField = (typeof sortFields)[number]

/** What the address of the page holds: the query, how it is shown, and which request is open. */
export interface Search {
  /** The query as it is typed. */
  q?: string
  /** A range that ends now, such as 24h or 7d; or the times from and to, in ISO form. */
  range?: string
  from?: string
  to?: string
  sort?: SortField
  order?: 'asc' | 'desc'
  /** The columns that are shown, with commas. */
  columns?: string
  /** The request that is open in the panel, and what of it is shown. */
  request?: number
  tab?: 'raw' | 'details'
  live?: true
  /** The saved view that all this came from. */
  view?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'range', 'from', 'to', 'columns'),
    ...readChoice(search, 'sort', sortFields),
    ...readChoice(search, 'order', ['asc', 'desc']),
    ...readChoice(search, 'tab', ['raw', 'details']),
    ...readNumber(search, 'request', 'view'),
    ...readFlag(search, 'live'),
  }
}
