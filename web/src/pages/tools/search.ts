import { readChoice, readNumber, readText } from '@/lib/search'

export const tabs = ['definition', 'versions', 'compare', 'test', 'environment'] as const

export interface Search {
  q?: string
  tab?: (typeof tabs)[number]
  version?: number
  compare?: number
  /** The page of the version list. */
  page?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readText(search, 'q'), ...readNumber(search, 'version', 'compare', 'page'), ...readChoice(search, 'tab', tabs) }
}
