import type { Schemas } from '@/api/client'
import { count } from '@/lib/format'

export type Rules = Schemas['RetentionRules']
type Rule = Schemas['RetentionRule']
type Preview = Schemas['RetentionPreview']

export const statuses = [
  { value: '', label: 'Any status' },
  { value: 'SUCCESS', label: 'Success' },
  { value: 'WARNING', label: 'Warning' },
  { value: 'ERROR', label: 'Error' },
] as const

/** A rule as typed into the form. No days are for ever. */
export interface RuleDraft {
  status: (typeof statuses)[number]['value']
  tag: string
  days: string
}

/** The rules as typed into the form. */
export interface Draft {
  rules: RuleDraft[]
  days: string
  textDays: string
}

export const maxRules = 20
const maxDays = 36_500

export const newRule: RuleDraft = { status: 'ERROR', tag: '', days: '90' }

function typed(days: number | undefined): string {
  return days === undefined || days === 0 ? '' : String(days)
}

export function draftOf({ rules = [], days, text_days }: Rules): Draft {
  return { rules: rules.map(({ status, tag, days: kept }) => ({ status: status ?? '', tag: tag ?? '', days: typed(kept) })), days: typed(days), textDays: typed(text_days) }
}

/** What is wrong with a number of days, or null. */
export function daysProblem(days: string): string | null {
  const text = days.trim()
  if (text === '') return null
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= maxDays ? null : `From 1 to ${count(maxDays)}, or empty`
}

/** What is wrong with what a rule selects, or null. */
export function ruleProblem({ status, tag }: RuleDraft): string | null {
  return status === '' && tag.trim() === '' ? 'Choose a status or a tag' : null
}

export function isComplete({ rules, days, textDays }: Draft): boolean {
  return [days, textDays, ...rules.map((rule) => rule.days)].every((text) => daysProblem(text) === null) && rules.every((rule) => ruleProblem(rule) === null)
}

/** The rules as they are sent. */
export function rulesOf({ rules, days, textDays }: Draft): Rules {
  return {
    rules: rules.map(({ status, tag, days: kept }): Rule => ({
      ...(status === '' ? {} : { status }), ...(tag.trim() === '' ? {} : { tag: tag.trim() }), days: Number(kept),
    })),
    days: Number(days), text_days: Number(textDays),
  }
}

/** Whether the form differs from what is stored. */
export function isChanged(draft: Draft, stored: Rules): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(stored))
}

/** What rules would delete now, such as "12 requests and the texts of 30", or null for nothing. */
export function previewWords({ rules, rest, texts }: Pick<Preview, 'rules' | 'rest' | 'texts'>): string | null {
  const requests = rules.reduce((sum, one) => sum + one, rest)
  const parts = [
    ...(requests > 0 ? [`${count(requests)} ${requests === 1 ? 'request' : 'requests'}`] : []),
    ...(texts > 0 ? [`the texts of ${count(texts)}${requests > 0 ? '' : texts === 1 ? ' request' : ' requests'}`] : []),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}
