import { readChoice, readNumber, readText } from '@/lib/search'

export const tabs = ['editor', 'versions', 'compare', 'usage', 'ab-tests'] as const
export const sorts = ['updated', 'created', 'name'] as const

export interface Search {
  /** A part of the names or texts that are listed. */
  q?: string
  folder?: number
  sort?: (typeof sorts)[number]
  page?: number
  tab?: (typeof tabs)[number]
  version?: number
  /** The version that it is compared with. */
  compare?: number
  /** The time that the usage charts cover: a range that ends now, or its ends in ISO form. */
  range?: string
  from?: string
  to?: string
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'range', 'from', 'to'),
    ...readNumber(search, 'folder', 'version', 'compare', 'page'),
    ...readChoice(search, 'sort', sorts),
    ...readChoice(search, 'tab', tabs),
  }
}
