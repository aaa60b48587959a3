import type { Schemas } from '@/api/client'
import { compact, count, money } from '@/lib/format'
import { queryError, requestBody, type RequestBody } from '@/query/state'
import { storedText } from '@/query/stored'
import type { Tone } from '@/ui/badge'
import type { Kind } from './search'

export type Alert = Schemas['AlertItem']
export type Window = Schemas['AlertWindow']
export type Change = Schemas['AlertChange']
type Measure = Alert['measure']

/** The measures in the order in which they are offered. */
export const measures: { value: Measure; label: string }[] = [
  { value: 'count', label: 'Number of requests' },
  { value: 'error_rate', label: 'Error rate' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'latency_mean', label: 'Mean latency' },
  { value: 'latency_p50', label: 'P50 latency' },
  { value: 'latency_p90', label: 'P90 latency' },
  { value: 'latency_p95', label: 'P95 latency' },
  { value: 'latency_p99', label: 'P99 latency' },
  { value: 'score_mean', label: 'Mean score' },
]

export const windows = [[5, '5 minutes'], [15, '15 minutes'], [30, '30 minutes'], [60, '1 hour'], [360, '6 hours'], [1440, '1 day'], [10_080, '7 days'], [43_200, '30 days']] as const

/** A window in words. */
export function windowWords(minutes: number): string {
  return windows.find(([value]) => value === minutes)?.[1] ?? `${count(minutes)} minutes`
}

/** What the form contains, as typed. */
export interface Draft {
  kind: Kind
  name: string
  q: string
  /** A stored query that cannot be typed; it is kept until it is replaced. */
  kept: unknown
  measure: Measure
  scoreName: string
  comparison: Alert['comparison']
  /** Percentages for the error rate. */
  threshold: string
  window: number
  period: 'day' | 'month'
  levels: string
  requests: string
  remind: string
  noData: boolean
}

/** The form for an alert, or for a new one. */
export function draftOf(alert: Alert | null, kind: Kind = 'alert', q = ''): Draft {
  if (alert === null) {
    return {
      kind, name: '', q, kept: null, measure: 'error_rate', scoreName: '', comparison: 'above', threshold: '', window: 15, period: 'month', levels: '50, 80, 100', requests: '', remind: '', noData: false,
    }
  }
  const text = storedText(alert.query)
  return {
    kind: alert.period === null ? 'alert' : 'budget',
    name: alert.name,
    q: text ?? '',
    kept: text === null ? alert.query : null,
    measure: alert.measure,
    scoreName: alert.score_name ?? '',
    comparison: alert.comparison,
    threshold: String(alert.measure === 'error_rate' ? round(alert.threshold * 100) : alert.threshold),
    window: alert.window_minutes ?? 15,
    period: alert.period === 'day' ? 'day' : 'month',
    levels: alert.levels.length > 0 ? alert.levels.join(', ') : '50, 80, 100',
    requests: String(alert.minimum_requests),
    remind: alert.remind_hours === null ? '' : String(alert.remind_hours),
    noData: alert.notify_no_data,
  }
}

/** Removes what binary fractions add: 0.07 * 100 is 7. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}

function numberOf(text: string): number | null {
  const value = Number(text.trim().replace(/^\$/, ''))
  return text.trim() === '' || !Number.isFinite(value) ? null : value
}

/** The percentages of a budget, or null if they are not ascending whole numbers. */
export function levelsOf(text: string): number[] | null {
  const found = text.split(',').map((part) => numberOf(part.replace('%', '')))
  const good = found.every((one, index) => one !== null && Number.isInteger(one) && one >= 1 && one <= 1000 && (index === 0 || one > (found[index - 1] ?? 0)))
  return good && found.length <= 10 ? (found as number[]) : null
}

/** What is wrong with each field that has something in it. */
export function problems(draft: Draft): { threshold: string | null; levels: string | null; requests: string | null; remind: string | null } {
  const whole = (text: string, least: number, most: number) => {
    const value = numberOf(text)
    return text.trim() === '' || (value !== null && Number.isInteger(value) && value >= least && value <= most) ? null : `Enter a whole number from ${least} to ${count(most)}`
  }
  const amount = numberOf(draft.threshold)
  const wrong = draft.threshold.trim() !== '' && (amount === null || (draft.kind === 'budget' && amount <= 0))
  return {
    threshold: wrong ? (draft.kind === 'budget' ? 'Enter an amount greater than 0' : 'Enter a number') : null,
    levels: draft.kind === 'budget' && levelsOf(draft.levels) === null ? 'Enter up to 10 whole percentages, ascending' : null,
    requests: whole(draft.requests, 0, 1_000_000_000),
    remind: whole(draft.remind, 1, 720),
  }
}

/** Whether the form has what a preview needs. */
export function isWhole(draft: Draft): boolean {
  const wrong = Object.values(problems(draft)).some((problem) => problem !== null)
  const scored = draft.kind === 'budget' || draft.measure !== 'score_mean' || draft.scoreName.trim() !== ''
  return !wrong && scored && draft.threshold.trim() !== '' && queryError({ q: draft.q }) === null
}

/** Whether the form can be sent. */
export function isComplete(draft: Draft): boolean {
  return isWhole(draft) && draft.name.trim() !== ''
}

/** What is watched, as the preview and the alert take it. */
export function watchedOf(draft: Draft) {
  const amount = numberOf(draft.threshold) ?? 0
  const requests = numberOf(draft.requests)
  const query = draft.kept ?? requestBody({ q: draft.q, range: 'all' })
  const common = { query: query as RequestBody & Record<string, unknown>, ...(requests === null ? {} : { minimum_requests: requests }) }
  if (draft.kind === 'budget') return { ...common, measure: 'cost' as const, comparison: 'above' as const, threshold: amount, period: draft.period, levels: levelsOf(draft.levels) ?? [] }
  return {
    ...common,
    measure: draft.measure,
    comparison: draft.comparison,
    threshold: draft.measure === 'error_rate' ? round(amount / 100) : amount,
    window_minutes: draft.window,
    ...(draft.measure === 'score_mean' ? { score_name: draft.scoreName.trim() } : {}),
  }
}

/** The members that only a stored alert has. */
export function restOf(draft: Draft) {
  return { name: draft.name.trim(), notify_no_data: draft.noData, remind: numberOf(draft.remind) }
}

/** A value with its unit. */
export function valueWords(measure: Measure, value: number): string {
  if (measure === 'error_rate') return `${round(Math.round(value * 10_000) / 100)}%`
  if (measure === 'cost') return money(value)
  if (measure.startsWith('latency')) return `${count(Math.round(value))} ms`
  return value >= 100_000 ? compact(value) : count(Math.round(value * 100) / 100)
}

/** What an alert waits for, such as "Error rate above 5% in 15 minutes". */
export function conditionWords(alert: Pick<Alert, 'measure' | 'score_name' | 'comparison' | 'threshold' | 'window_minutes' | 'period'>): string {
  const amount = valueWords(alert.measure, alert.threshold)
  if (alert.period !== null) return `${amount} per ${alert.period}`
  const label = measures.find(({ value }) => value === alert.measure)?.label ?? alert.measure
  return `${label}${alert.score_name === null ? '' : ` ${alert.score_name}`} ${alert.comparison} ${amount} in ${windowWords(alert.window_minutes ?? 0)}`
}

export const tones: Record<Alert['state'], Tone> = { ok: 'good', firing: 'bad', no_data: 'neutral', error: 'warn' }

/** A state in words. */
export function stateWords(state: Alert['state'], level = 0): string {
  if (state === 'no_data') return 'no data'
  return state === 'firing' && level > 1 ? `${level}% reached` : state
}
