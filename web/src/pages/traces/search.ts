import { traceSortFields, type TraceSortField } from '@/query/fields'
import { readChoice, readNumber, readText } from '@/lib/search'

/** The search parameters of the list, and of the page of one trace. */
export interface Search {
  /** The query as typed. */
  q?: string
  /** A range that ends now, such as 24h or 7d, or the times from and to in ISO format. */
  range?: string
  from?: string
  to?: string
  sort?: TraceSortField
  order?: 'asc' | 'desc'
  page?: number
  /** The selected span of a trace. */
  span?: string
  /** The text searched for in a trace. */
  find?: string
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'range', 'from', 'to', 'span', 'find'),
    ...readChoice(search, 'sort', traceSortFields),
    ...readChoice(search, 'order', ['asc', 'desc']),
    ...readNumber(search, 'page'),
  }
}
