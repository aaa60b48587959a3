import { readChoice, readNumber, readText } from '@/lib/search'

export const kinds = ['alert', 'budget'] as const
export type Kind = (typeof kinds)[number]

/** The search parameters of the page. */
export interface Search {
  /** The dialog for a new one is open. */
  new?: Kind
  /** The query that it begins with. */
  q?: string
  /** The alert whose history is open, and the page of it. */
  alert?: number
  page?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readChoice(search, 'new', kinds), ...readText(search, 'q'), ...readNumber(search, 'alert', 'page') }
}
