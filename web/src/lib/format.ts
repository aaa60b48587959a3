/** Formats numbers, money and times. Every page uses these functions. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export function count(n: number): string {
  return whole.format(n)
}

/** Formats a number with its noun, such as "1 row" and "2 rows". */
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}

export function compact(n: number): string {
  return Math.abs(n) < 10_000 ? whole.format(n) : compactFormat.format(n)
}

/** Formats dollars with enough digits to tell small amounts apart. */
export function money(dollars: number): string {
  if (dollars === 0) return '$0'
  const size = Math.abs(dollars)
  if (size >= 1000) return '$' + compactFormat.format(dollars)
  if (size >= 1) return '$' + dollars.toFixed(2)
  if (size >= 0.01) return '$' + dollars.toFixed(3)
  return '$' + dollars.toPrecision(2)
}

/** Formats a duration given in milliseconds. */
export function duration(ms: number): string {
  if (ms < 1) return '0 ms'
  if (ms < 1000) return Math.round(ms) + ' ms'
  if (ms < 60_000) return (ms / 1000).toFixed(ms < 10_000 ? 2 : 1) + ' s'
  if (ms < 3_600_000) return Math.floor(ms / 60_000) + ' min ' + Math.round((ms % 60_000) / 1000) + ' s'
  return Math.floor(ms / 3_600_000) + ' h ' + Math.round((ms % 3_600_000) / 60_000) + ' min'
}

export function bytes(n: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let size = n
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return (unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)) + ' ' + units[unit]
}

export function percent(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%'
  return (share * 100).toFixed(share > 0.0995 || share === 0 ? 0 : 1) + '%'
}

const clock = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false,
})
const minuteClock = new Intl.DateTimeFormat('en-GB', { month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: false })

/** Parses a time from the API. Times without a zone are in UTC. */
export function instant(text: string): Date {
  return new Date(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) ? text : text + 'Z')
}

/** Formats the full date and time in the user's time zone. */
export function dateTime(at: Date | string): string {
  return clock.format(typeof at === 'string' ? instant(at) : at)
}

/** Formats the date and time to the minute in the user's time zone. */
export function shortTime(at: Date | string): string {
  return minuteClock.format(typeof at === 'string' ? instant(at) : at)
}

/** Formats how long ago a time was, such as "5 min ago". */
export function ago(at: Date | string, now = Date.now()): string {
  const seconds = Math.round((now - (typeof at === 'string' ? instant(at) : at).getTime()) / 1000)
  if (seconds < 5) return 'now'
  if (seconds < 60) return seconds + ' s ago'
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ago'
  if (seconds < 86_400) return Math.floor(seconds / 3600) + ' h ago'
  if (seconds < 86_400 * 30) return Math.floor(seconds / 86_400) + ' d ago'
  return clock.format(now - seconds * 1000).slice(0, 11)
}
