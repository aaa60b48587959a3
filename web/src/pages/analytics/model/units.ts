import { compact, duration, money } from '@/lib/format'

const few = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Formats seconds as a duration. */
export function seconds(value: number): string {
  return duration(value * 1000)
}

/** Formats a ratio with enough digits to compare. */
export function plainNumber(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2)
  return Math.abs(value) >= 10_000 ? compact(value) : few.format(value)
}

/** The formatter for a unit of the API. */
export function formatOf(unit: string | undefined): (value: number) => string {
  switch (unit) {
    case 'currency': return money
    case 'duration_seconds': return seconds
    case 'count': return wholeOrFew
    case 'tokens': return wholeOrFew
    default: return plainNumber
  }
}

/** Counts are integers, but their averages are not. */
function wholeOrFew(value: number): string {
  return Number.isInteger(value) ? compact(value) : plainNumber(value)
}
