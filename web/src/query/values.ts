import type { Field } from './fields'

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000 }

/** The number that was typed, null if it is none. Durations may have a unit: 2s, 500ms. */
export function readQuantity(field: Field, text: string): number | null {
  const match = /^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([a-z]*)$/i.exec(text.startsWith('$') ? text.slice(1) : text)
  if (match === null) return null
  const [, digits = '', unit = ''] = match
  if (unit === '') return Number(digits)
  const factor = field.unit === 'ms' ? units[unit.toLowerCase()] : undefined
  return factor === undefined ? null : Number(digits) * factor
}

/** The instant that was typed, in ms since 1970, null if it is none. Without a zone it is of the reader's. */
export function readInstant(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.test(text)) return null
  const at = new Date(text.length === 10 ? text + 'T00:00' : text).getTime()
  return Number.isNaN(at) ? null : at
}

/** The values of a list that was typed with commas; those in quotes may hold commas. */
export function splitValues(text: string): string[] {
  const found = text.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? []
  return found.map((part) => part.trim()).filter((part) => part !== '').map((part) => (part.startsWith('"') && part.endsWith('"') && part.length > 1 ? part.slice(1, -1).replace(/\\(.)/g, '$1') : part))
}

/** The list as it is typed. */
export function joinValues(values: string[]): string {
  return values.map((value) => (/[",]|^\s|\s$|^$/.test(value) ? '"' + value.replace(/[\\"]/g, '\\$&') + '"' : value)).join(', ')
}
