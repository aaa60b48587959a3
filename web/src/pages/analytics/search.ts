import { readChoice, readNumber, readText } from '@/lib/search'
import type { QueryState } from '@/query/state'

export const rankings = ['requests', 'cost', 'tokens'] as const
export type Ranking = (typeof rankings)[number]

/** What the address of the page holds: the same query as that of the requests, and how it is shown. */
export interface Search extends QueryState {
  /** The saved view that all this came from. */
  view?: number
  /** The range that was shown before it was narrowed by dragging. */
  back?: string
  /** What the charts over time are split by: a field, or metadata.KEY. */
  by?: string
  /** What the rankings go by. */
  rank?: Ranking
  /** The metadata key whose values are ranked. */
  key?: string
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readText(search, 'q', 'range', 'from', 'to', 'back', 'key', 'by'), ...readNumber(search, 'view'), ...readChoice(search, 'rank', rankings) }
}
