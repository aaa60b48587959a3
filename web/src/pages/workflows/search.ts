import { readChoice, readNumber, readText } from '@/lib/search'

export const tabs = ['graph', 'versions', 'compare', 'runs'] as const
export const runStatuses = ['RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const

export const dryRunChoices = ['include', 'only'] as const

export interface Search {
  q?: string
  tab?: (typeof tabs)[number]
  version?: number
  compare?: number
  /** The run shown on the graph. */
  run?: number
  /** The open node. */
  node?: string
  /** Whether the input variables are open instead of a node. */
  panel?: 'inputs'
  /** Nodes as a graph or a table. Defaults to what fits the screen. */
  view?: 'graph' | 'list'
  /** Only runs with this status. */
  status?: (typeof runStatuses)[number]
  /** Whether dry runs are listed, too, or only they. */
  dry?: (typeof dryRunChoices)[number]
  page?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return {
    ...readText(search, 'q', 'node'),
    ...readNumber(search, 'version', 'compare', 'run', 'page'),
    ...readChoice(search, 'tab', tabs),
    ...readChoice(search, 'panel', ['inputs']),
    ...readChoice(search, 'view', ['graph', 'list']),
    ...readChoice(search, 'status', runStatuses),
    ...readChoice(search, 'dry', dryRunChoices),
  }
}
