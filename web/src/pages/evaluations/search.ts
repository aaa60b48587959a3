import { readChoice, readFlag, readNumber, readText } from '@/lib/search'

const tabs = ['runs', 'columns', 'compare'] as const
const sorts = ['updated', 'created', 'name'] as const
const statuses = ['active', 'deleted', 'all'] as const

export interface Search {
  q?: string
  /** Whether archived evaluations are listed. */
  status?: (typeof statuses)[number]
  sort?: (typeof sorts)[number]
  /** Whether the create dialog is open, and the dataset group to use if known. */
  create?: number | 'any'
  tab?: (typeof tabs)[number]
  /** The shown run, and the earlier one to compare with. */
  run?: number
  compare?: number
  page?: number
  /** The row open in the panel, from 1. */
  row?: number
  /** The columns of a judge and of people: only rows on which they disagree are listed. */
  judge?: number
  person?: number
  /** Whether only rows that changed between the two runs are listed. */
  changed?: true
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q'),
    ...readNumber(search, 'run', 'compare', 'page', 'row', 'create', 'judge', 'person'),
    ...readChoice(search, 'create', ['any']),
    ...readChoice(search, 'tab', tabs),
    ...readChoice(search, 'status', statuses),
    ...readChoice(search, 'sort', sorts),
    ...readFlag(search, 'changed'),
  }
}
