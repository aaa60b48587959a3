import { compact, duration, money } from '@/lib/format'

const few = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Seconds as a duration. */
export function seconds(value: number): string {
  return duration(value * 1000)
}

/** A share as it is worth comparing, such as a ratio of two series. */
export function plainNumber(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2)
  return Math.abs(value) >= 10_000 ? compact(value) : few.format(value)
}

/** How the numbers of a unit of the API are written. */
export function formatOf(unit: string | undefined): (value: number) => string {
  switch (unit) {
    case 'currency': return money
    case 'duration_seconds': return seconds
    case 'count': return wholeOrFew
    case 'tokens': return wholeOrFew
    default: return plainNumber
  }
}

/** Counts are whole, but their averages are not. */
function wholeOrFew(value: number): string {
  return Number.isInteger(value) ? compact(value) : plainNumber(value)
}
