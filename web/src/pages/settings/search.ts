import { type ScheduledSource, scheduledSources } from '@/export/address'
import { readChoice, readFlag, readNumber, readText } from '@/lib/search'

export const actorKinds = ['user', 'key', 'command', 'program'] as const
export const auditRanges = ['24h', '7d', '30d', 'custom'] as const
export const priceTabs = ['custom', 'list', 'unpriced', 'repricing'] as const
export const webhookTabs = ['deliveries'] as const
export const retentionTabs = ['deletions'] as const
export const deliveryStates = ['pending', 'delivered', 'dead'] as const

/** The search parameters of the sections. */
export interface Search {
  /** Whether the dialog for a new key, member, role or variable is open. */
  new?: true
  /** Whether inactive keys are listed too. */
  ended?: true
  // Prices, retention and webhooks: the open tab and the page; the text that list prices are searched for.
  tab?: (typeof priceTabs)[number] | (typeof retentionTabs)[number] | (typeof webhookTabs)[number]
  find?: string
  page?: number
  // A new export: what it is about, and the query as JSON. The export whose runs are shown.
  source?: ScheduledSource
  query?: string
  export?: number
  // Deliveries of webhooks: whose, and in which state.
  webhook?: number
  state?: (typeof deliveryStates)[number]
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
  /** The open entry, delivery of a webhook, deletion, or import. */
  entry?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readFlag(search, 'new', 'ended', 'installation'),
    ...readText(search, 'actor', 'action', 'kind', 'from', 'until', 'find', 'query'),
    ...readChoice(search, 'by', actorKinds),
    ...readChoice(search, 'range', auditRanges),
    ...readChoice(search, 'tab', [...priceTabs, ...retentionTabs, ...webhookTabs]),
    ...readChoice(search, 'state', deliveryStates),
    ...readChoice(search, 'source', scheduledSources),
    ...readNumber(search, 'subject', 'before', 'entry', 'page', 'webhook', 'export'),
  }
}
