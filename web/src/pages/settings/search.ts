import { readChoice, readFlag, readNumber, readText } from '@/lib/search'

export const actorKinds = ['user', 'key', 'command', 'program'] as const
export const auditRanges = ['24h', '7d', '30d', 'custom'] as const
export const priceTabs = ['custom', 'list', 'unpriced', 'repricing'] as const

/** The search parameters of the sections. */
export interface Search {
  /** Whether the dialog for a new key, member, role or variable is open. */
  new?: true
  /** Whether inactive keys are listed too. */
  ended?: true
  // Prices: the open tab, the text that list prices are searched for, and the page.
  tab?: (typeof priceTabs)[number]
  find?: string
  page?: number
  // The filters of the audit log.
  actor?: string
  by?: (typeof actorKinds)[number]
  action?: string
  kind?: string
  /** The id of the changed item, only together with its kind. */
  subject?: number
  range?: (typeof auditRanges)[number]
  from?: string
  until?: string
  /** Whether to show the log of the installation instead of the workspace's. */
  installation?: true
  /** Entries older than this one. */
  before?: number
  /** The open entry. */
  entry?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readFlag(search, 'new', 'ended', 'installation'),
    ...readText(search, 'actor', 'action', 'kind', 'from', 'until', 'find'),
    ...readChoice(search, 'by', actorKinds),
    ...readChoice(search, 'range', auditRanges),
    ...readChoice(search, 'tab', priceTabs),
    ...readNumber(search, 'subject', 'before', 'entry', 'page'),
  }
}
