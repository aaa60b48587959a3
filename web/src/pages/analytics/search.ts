import { readChoice, readNumber, readText } from '@/lib/search'
import type { QueryState } from '@/query/state'

export const rankings = ['requests', 'cost', 'tokens'] as const
export type Ranking = (typeof rankings)[number]

/** The search parameters of the page: the same query as for requests, and the view. */
export interface Search extends QueryState {
  /** The saved view that the state came from. */
  view?: number
  /** The range before zooming in. */
  back?: string
  /** How the charts over time are grouped: a field, or metadata.KEY. */
  by?: string
  /** The measure of the rankings. */
  rank?: Ranking
  /** The metadata key whose values are ranked. */
  key?: string
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readText(search, 'q', 'range', 'from', 'to', 'back', 'key', 'by'), ...readChoice(search, 'sources', ['production', 'all']), ...readNumber(search, 'view'), ...readChoice(search, 'rank', rankings) }
}
