import type { Schemas } from '@/api/client'

export type Webhook = Schemas['WebhookItem']
export type Delivery = Schemas['DeliveryItem']

/** What the form of a webhook contains, as typed. */
export interface Draft {
  name: string
  url: string
  format: Webhook['format']
  events: string[]
  /** The limit of the event report_score_below. */
  scoreBelow: string
}

const words: Record<string, string> = {
  version_published: 'Version published',
  label_moved: 'Release label moved',
  agent_run_finished: 'Workflow run finished',
  agent_run_failed: 'Workflow run failed',
  report_finished: 'Evaluation finished',
  report_score_below: 'Evaluation score below a limit',
  alert: 'Alert',
  export_failed: 'Export failed',
  ab_test_stopped: 'A/B test stopped by its guard',
  test: 'Test',
}

/** An event in words. One that this app does not know yet keeps its name. */
export function eventWords(event: string): string {
  return words[event] ?? event
}

/** The event that needs a limit. */
export const scoreEvent = 'report_score_below'

/** The form for a webhook, or for a new one. */
export function draftOf(webhook: Webhook | null): Draft {
  if (webhook === null) return { name: '', url: '', format: 'json', events: [], scoreBelow: '' }
  const { name, url, format, events, score_below } = webhook
  return { name, url, format, events, scoreBelow: score_below === null ? '' : String(score_below) }
}

/** What is wrong with the limit, or null. */
export function limitProblem(draft: Draft): string | null {
  const text = draft.scoreBelow.trim()
  return text === '' || Number.isFinite(Number(text)) ? null : 'Enter a number'
}

/** Whether the form can be sent. */
export function isComplete(draft: Draft): boolean {
  const limited = !draft.events.includes(scoreEvent) || (draft.scoreBelow.trim() !== '' && limitProblem(draft) === null)
  return draft.name.trim() !== '' && draft.url.trim() !== '' && draft.events.length > 0 && limited
}

/** The body of a request that stores the form. */
export function bodyOf(draft: Draft) {
  const limit = draft.events.includes(scoreEvent) ? { score_below: Number(draft.scoreBelow.trim()) } : {}
  return { name: draft.name.trim(), url: draft.url.trim(), format: draft.format, events: draft.events, ...limit }
}

/** The list with the event added or removed, in the order of the server. */
export function withEvent(events: string[], event: string, on: boolean, all: string[]): string[] {
  return all.filter((one) => (one === event ? on : events.includes(one)))
}

/** The end of an attempt in a few words. */
export function resultWords({ response_status, error, attempts }: Delivery): string {
  if (attempts === 0) return 'Not tried yet'
  if (error !== null) return error
  return `Status ${response_status ?? 'unknown'}`
}
