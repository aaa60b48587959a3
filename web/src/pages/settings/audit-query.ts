import type { Search } from './search'

/** The actions, by their names on the wire. */
export const actions = [
  'create', 'rename', 'change', 'move', 'delete', 'publish', 'label', 'unlabel', 'tag', 'attach external id', 'detach external id', 'revoke', 'rotate', 'invite', 'import', 'cancel', 'revert',
  'remove from workspace', 'disable', 'enable', 'sign in', 'set password', 'make sign-in link', 'wrong password', 'back up', 'export',
]

/** The kinds of changed items, by their names on the wire. */
export const kinds: Record<string, string> = {
  prompt: 'prompt', workflow: 'workflow', dataset: 'dataset', report: 'evaluation', tool: 'tool', skill: 'skill', folder: 'folder', variable_set: 'input variable set',
  KEY: 'API key', USER: 'user', ROLE: 'role', WORKSPACE: 'workspace', ENV_VAR: 'environment variable', VIEW: 'view', DASHBOARD: 'dashboard', PRICE: 'price',
  REPRICING: 're-pricing', BACKUP: 'backup', WEBHOOK: 'webhook', ALERT: 'alert', REQUESTS: 'requests', TRACES: 'traces', AUDIT: 'audit log', REDACTION: 'redaction rules', DELETION: 'deletion', RETENTION: 'retention rules',
}

export const actorWords = { user: 'User', key: 'API key', command: 'Command line', program: 'System' } as const

const spans = { '24h': 1, '7d': 7, '30d': 30 } as const

interface Query {
  installation?: boolean
  actor?: string
  actor_kind?: Search['by']
  action?: string
  subject_kind?: string
  subject_id?: number
  from?: string
  until?: string
}

/** The query parameters of the API. Days are in the user's time zone; the last one is included. */
export function auditQuery(search: Search, now = new Date()): Query {
  return defined({
    installation: search.installation,
    actor: search.actor,
    actor_kind: search.by,
    action: search.action,
    subject_kind: search.kind,
    subject_id: search.kind === undefined ? undefined : search.subject,
    ...times(search, now),
  })
}

function times({ range, from, until }: Search, now: Date): { from?: string; until?: string } {
  if (range === undefined) return {}
  if (range === 'custom') return { from: day(from, false), until: day(until, true) }
  // Rounded to the minute, so that the same page is not requested repeatedly.
  const start = new Date(Math.floor(now.getTime() / 60_000) * 60_000 - spans[range] * 86_400_000)
  return { from: start.toISOString() }
}

function day(text: string | undefined, end: boolean): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const at = new Date(`${text}T${end ? '23:59:59.999' : '00:00:00'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

function defined(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** Reports whether the log is filtered. */
export function isNarrowed(search: Search): boolean {
  return [search.actor, search.by, search.action, search.kind, search.subject, search.range].some((value) => value !== undefined)
}

/** The details of an entry in one line. */
export function detailLine(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${words(value)}`)
    .join(', ')
}

function words(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.map(words).join(' + ') : 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
