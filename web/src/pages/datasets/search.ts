import { readChoice, readNumber, readText } from '@/lib/search'

const sorts = ['updated', 'created', 'name'] as const

export interface Search {
  /** In the list, part of the names; in a dataset, part of its values. */
  q?: string
  sort?: (typeof sorts)[number]
  /** The shown dataset, which is a version of the group. */
  dataset?: number
  /** In the list, its page; in a dataset, the page of 100 rows at the top. */
  page?: number
  /** The row open in the panel, from 1. */
  row?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return { ...readText(search, 'q'), ...readNumber(search, 'dataset', 'page', 'row'), ...readChoice(search, 'sort', sorts) }
}
