import type { Schemas } from '@/api/client'

export type Rule = Schemas['RedactionRule']
export type StoredRule = Schemas['RedactionItem']

/** What rules match by. Detectors are in the order in which they are offered. */
export const matchers = [
  { value: 'email', label: 'E-mail addresses' },
  { value: 'secret', label: 'Keys and tokens' },
  { value: 'iban', label: 'Bank accounts (IBAN)' },
  { value: 'card', label: 'Payment cards' },
  { value: 'ip', label: 'IP addresses' },
  { value: 'phone', label: 'Phone numbers' },
  { value: 'pattern', label: 'Regular expression' },
  { value: 'path', label: 'Values at a path' },
] as const

export type Matcher = (typeof matchers)[number]['value']

export const actions = [
  { value: 'mask', label: 'Mask', example: (name: string) => `[${name}]` },
  { value: 'hash', label: 'Hash', example: (name: string) => `[${name}:9f86d081884c7d65]` },
  { value: 'drop', label: 'Drop', example: () => 'nothing' },
] as const

export type Action = (typeof actions)[number]['value']

/** A rule as typed into the form. */
export interface Draft {
  name: string
  matcher: Matcher
  /** The regular expression or the path. */
  text: string
  action: Action
  enabled: boolean
}

/** What the rule matches by. */
export function matcherOf(rule: Rule): Matcher {
  if (rule.pattern !== undefined) return 'pattern'
  return rule.path === undefined ? rule.detector ?? 'email' : 'path'
}

/** What the rule finds, in words. */
export function finds(rule: Rule): string {
  return rule.pattern ?? rule.path ?? matchers.find(({ value }) => value === rule.detector)?.label ?? ''
}

/** The form for a rule. */
export function draftOf(rule: Rule | null): Draft {
  if (rule === null) return { name: '', matcher: 'email', text: '', action: 'mask', enabled: true }
  return { name: rule.name, matcher: matcherOf(rule), text: rule.pattern ?? rule.path ?? '', action: rule.action, enabled: rule.enabled ?? true }
}

/** Whether the matcher needs a text. */
export function needsText(matcher: Matcher): boolean {
  return matcher === 'pattern' || matcher === 'path'
}

/** The name of a rule that has none: what it finds. */
export function nameOf(draft: Draft): string {
  return draft.name.trim() || (needsText(draft.matcher) ? '' : draft.matcher)
}

/** What is wrong with the name, or null. The names are those of the other rules. */
export function nameProblem(draft: Draft, others: string[]): string | null {
  const name = nameOf(draft)
  if (name === '') return null
  if (!/^[A-Za-z][A-Za-z0-9 _-]*$/.test(name)) return 'Use letters, digits, spaces, hyphens and underscores, a letter first'
  return others.includes(name) ? 'Another rule has this name' : null
}

/** Whether the form can be sent. */
export function isComplete(draft: Draft, others: string[]): boolean {
  return nameOf(draft) !== '' && nameProblem(draft, others) === null && (!needsText(draft.matcher) || draft.text.trim() !== '')
}

/** The rule of a form. */
export function ruleOf(draft: Draft): Rule {
  const rule = { name: nameOf(draft), action: draft.action, enabled: draft.enabled }
  if (draft.matcher === 'pattern') return { ...rule, pattern: draft.text }
  if (draft.matcher === 'path') return { ...rule, path: draft.text.trim() }
  return { ...rule, detector: draft.matcher }
}

/** The rules as they are sent: without what only the server knows. */
export function sent(rules: StoredRule[]): Rule[] {
  return rules.map(({ name, detector, pattern, path, action, enabled }) => ({ name, detector, pattern, path, action, enabled }))
}

/** The list with the rule at the index moved by a number of places. */
export function moved<T>(list: T[], index: number, by: number): T[] {
  const next = [...list]
  const [one] = next.splice(index, 1)
  if (one !== undefined) next.splice(index + by, 0, one)
  return next
}
