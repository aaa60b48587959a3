import type { Schemas } from '@/api/client'

type Guard = Schemas['Guard']

/** The bounds of a release guard while they are edited, as text. */
export interface GuardForm {
  errors: string
  cost: string
  latency: string
  score: string
  scoreName: string
}

const noBounds: GuardForm = { errors: '', cost: '', latency: '', score: '', scoreName: '' }

/** Bounds are edited in percent, percentage points and points. */
export function guardForm(guard: Guard | null | undefined): GuardForm {
  if (!guard) return noBounds
  const percent = (share: number | null | undefined) => (share == null ? '' : String(Math.round(share * 1e6) / 1e4))
  return {
    errors: percent(guard.max_error_rate_increase), cost: percent(guard.max_cost_increase), latency: percent(guard.max_latency_increase),
    score: guard.max_score_drop == null ? '' : String(guard.max_score_drop), scoreName: guard.score_name ?? '',
  }
}

/** Returns the guard of a form; one without bounds removes it. */
export function readGuard(form: GuardForm): Guard {
  const share = (text: string) => (text.trim() === '' ? undefined : Math.round(Number(text) * 1e4) / 1e6)
  return {
    max_error_rate_increase: share(form.errors), max_cost_increase: share(form.cost), max_latency_increase: share(form.latency),
    ...(form.score.trim() === '' ? {} : { max_score_drop: Number(form.score), score_name: form.scoreName.trim() || 'default' }),
  }
}

/** Returns why a form cannot be used, or null. */
export function guardProblem(form: GuardForm): string | null {
  const outside = (text: string, most: number) => text.trim() !== '' && !(Number(text) >= 0 && Number(text) <= most)
  if (outside(form.errors, 100) || outside(form.score, 100)) return 'Guard: errors and scores take numbers from 0 to 100.'
  if (outside(form.cost, 100_000) || outside(form.latency, 100_000)) return 'Guard: cost and latency take numbers of 0 and more.'
  return null
}

/** What a guard allows, in words; empty without bounds. */
export function guardWords(guard: Guard | null | undefined): string[] {
  const { errors, cost, latency, score, scoreName } = guardForm(guard)
  return [
    ...(errors === '' ? [] : [`its error rate is more than ${errors} percentage points higher`]),
    ...(cost === '' ? [] : [`its cost is more than ${cost}% higher`]),
    ...(latency === '' ? [] : [`its latency is more than ${latency}% higher`]),
    ...(score === '' ? [] : [`its score ${scoreName} is more than ${score} points lower`]),
  ]
}
