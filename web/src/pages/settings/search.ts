import { readChoice, readFlag, readNumber, readText } from '@/lib/search'

export const actorKinds = ['user', 'key', 'command', 'program'] as const
export const auditRanges = ['24h', '7d', '30d', 'custom'] as const

/** What the addresses of the sections hold. */
export interface Search {
  /** Whether the window that makes a new key, member or variable is open. */
  new?: true
  /** Whether keys that have ended are listed too. */
  ended?: true
  // What follows narrows the audit log.
  actor?: string
  by?: (typeof actorKinds)[number]
  action?: string
  kind?: string
  /** The number of the thing that was changed; only together with its kind. */
  subject?: number
  range?: (typeof auditRanges)[number]
  from?: string
  until?: string
  /** Whether it is the log of the installation instead of the workspace's. */
  installation?: true
  /** Entries older than this one. */
  before?: number
  /** The entry that is open. */
  entry?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readFlag(search, 'new', 'ended', 'installation'),
    ...readText(search, 'actor', 'action', 'kind', 'from', 'until'),
    ...readChoice(search, 'by', actorKinds),
    ...readChoice(search, 'range', auditRanges),
    ...readNumber(search, 'subject', 'before', 'entry'),
  }
}
