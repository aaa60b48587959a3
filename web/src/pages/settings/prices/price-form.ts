import type { Schemas } from '@/api/client'

export type Price = Schemas['PriceItem']

/** The rates of a price, in US dollars per million tokens. Those that may be empty have a default. */
export const rates = [
  { name: 'input', label: 'Input' },
  { name: 'output', label: 'Output' },
  { name: 'cache_read', label: 'Cache read', empty: 'as input' },
  { name: 'cache_write', label: 'Cache write', empty: 'as input' },
  { name: 'cache_write_1h', label: 'Cache write, 1 hour', empty: 'as cache write' },
  { name: 'reasoning', label: 'Thinking', empty: 'as output' },
  { name: 'batch_input', label: 'Input in a batch', empty: 'as input' },
  { name: 'batch_output', label: 'Output in a batch', empty: 'as output' },
] as const

export type RateName = (typeof rates)[number]['name']

/** A price as typed into the form. */
export type Draft = Record<'provider' | 'model' | 'valid_from' | RateName, string>

/** A price without a start is valid from here on. */
const always = '1970-01-01T00:00:00Z'

/** The start of a price as text: a day, if it starts at midnight UTC. Empty if it is always valid. */
export function startText(from: string | undefined): string {
  if (from === undefined || from === always) return ''
  return from.replace(/T00:00:00(\.0+)?Z$/, '')
}

/** The form for a price. Parts that are missing are empty. */
export function draftOf(price: Partial<Price>): Draft {
  const numbers = Object.fromEntries(rates.map(({ name }) => [name, price[name] == null ? '' : String(price[name])]))
  return { provider: price.provider ?? '', model: price.model ?? '', valid_from: startText(price.valid_from), ...numbers } as Draft
}

/** What is wrong with a rate, or null. */
export function rateProblem(name: RateName, text: string): string | null {
  const typed = text.trim()
  if (typed === '') return name === 'input' || name === 'output' ? 'Required' : null
  const rate = Number(typed)
  if (!Number.isFinite(rate)) return 'Not a number'
  return rate < 0 || rate > 1_000_000 ? 'From 0 to 1,000,000' : null
}

/** What is wrong with the start, or null. */
export function startProblem(text: string): string | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{4}-\d\d-\d\d/.test(typed) && !Number.isNaN(Date.parse(typed)) ? null : 'Use a date such as 2026-01-31'
}

/** Whether the form can be sent. */
export function isComplete(draft: Draft): boolean {
  return draft.provider.trim() !== '' && draft.model.trim() !== '' && startProblem(draft.valid_from) === null && rates.every(({ name }) => rateProblem(name, draft[name]) === null)
}

/** The body that creates a price. */
export function createBody(draft: Draft): Schemas['CreatePriceRequest'] {
  const given = rates.filter(({ name }) => draft[name].trim() !== '').map(({ name }) => [name, Number(draft[name])])
  const from = draft.valid_from.trim()
  return {
    provider: draft.provider.trim(), model: draft.model.trim(), ...(from === '' ? {} : { valid_from: from }),
    ...(Object.fromEntries(given) as { input: number; output: number }),
  }
}

/** The body that changes a price: a rate that is empty gets its default. */
export function changeBody(draft: Draft) {
  const numbers = Object.fromEntries(rates.map(({ name }) => [name, draft[name].trim() === '' ? null : Number(draft[name])]))
  const from = draft.valid_from.trim()
  return { ...numbers, provider: draft.provider.trim(), model: draft.model.trim(), valid_from: from === '' ? always : from } as Schemas['UpdatePriceRequest']
}

/** The prices whose provider or model contains every word. */
export function matching(prices: Price[], text: string): Price[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return prices.filter(({ provider, model }) => words.every((word) => `${provider} ${model}`.toLowerCase().includes(word)))
}

/** A file of prices as the body of an import: JSON as exported, or CSV. */
export function importBody(text: string): Schemas['ImportPricesRequest'] {
  if (!text.trimStart().startsWith('{') && !text.trimStart().startsWith('[')) return { csv: text }
  const parsed = JSON.parse(text) as { prices?: unknown } | unknown[]
  const prices = Array.isArray(parsed) ? parsed : parsed.prices
  if (!Array.isArray(prices)) throw new Error('The file has no list of prices')
  return { prices: prices as Schemas['PriceInput'][] }
}
