import { readChoice, readNumber, readText } from '@/lib/search'
import type { Sources } from '@/query/state'

export const tabs = ['editor', 'versions', 'compare', 'usage', 'ab-tests'] as const
export const sorts = ['updated', 'created', 'name'] as const

export interface Search {
  /** Text to find in names and content. */
  q?: string
  folder?: number
  sort?: (typeof sorts)[number]
  page?: number
  tab?: (typeof tabs)[number]
  version?: number
  /** The version to compare with. */
  compare?: number
  /** The time range of the usage charts: a range that ends now, or its ends in ISO format. */
  range?: string
  from?: string
  to?: string
  /** Whether the usage leaves out the playground and evaluations. */
  sources?: Sources
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'range', 'from', 'to'),
    ...readNumber(search, 'folder', 'version', 'compare', 'page'),
    ...readChoice(search, 'sort', sorts),
    ...readChoice(search, 'tab', tabs),
    ...readChoice(search, 'sources', ['production', 'all']),
  }
}
