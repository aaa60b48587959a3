import { readChoice, readNumber, readText } from '@/lib/search'

export const tabs = ['files', 'versions', 'compare'] as const

export interface Search {
  q?: string
  tab?: (typeof tabs)[number]
  version?: number
  compare?: number
  /** The path of the open file. */
  file?: string
  /** The page of the version list. */
  page?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readText(search, 'q', 'file'), ...readNumber(search, 'version', 'compare', 'page'), ...readChoice(search, 'tab', tabs) }
}

/** The tab of a URL: two versions without a tab are compared. */
export function tabOf({ tab, compare }: Search): (typeof tabs)[number] {
  return tab ?? (compare === undefined ? 'files' : 'compare')
}
