/** Formats times in charts: on the axis, and for one bucket. */

const day = 86_400

function clock(options: Intl.DateTimeFormatOptions, utc: boolean): (seconds: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { hour12: false, ...options, ...(utc ? { timeZone: 'UTC' } : {}) })
  return (seconds) => format.format(seconds * 1000)
}

/**
 * The labels of an axis with ticks `increment` seconds apart. The first tick,
 * and the first one of each day, have the date below the time.
 */
export function axisLabels(marks: number[], increment: number, utc: boolean): string[] {
  const date = clock({ day: 'numeric', month: 'short' }, utc)
  if (increment >= 360 * day) return marks.map(clock({ year: 'numeric' }, utc))
  if (increment >= 28 * day) return marks.map(clock({ month: 'short', year: '2-digit' }, utc))
  if (increment >= day) return marks.map(date)
  const time = clock({ hour: '2-digit', minute: '2-digit', ...(increment < 60 ? { second: '2-digit' } : {}) }, utc)
  return marks.map((mark, index) => {
    const previous = marks[index - 1]
    return previous === undefined || date(previous) !== date(mark) ? `${time(mark)}\n${date(mark)}` : time(mark)
  })
}

/** Formats a time bucket that starts at `start` and lasts `step` seconds. */
export function bucketName(start: number, step: number, utc: boolean): string {
  const date = clock({ weekday: 'short', day: 'numeric', month: 'short' }, utc)
  if (step >= 27 * day) return clock({ month: 'long', year: 'numeric' }, utc)(start)
  if (step >= 2 * day) return `${date(start)} – ${date(start + step - day)}`
  if (step >= day) return date(start)
  const time = clock({ hour: '2-digit', minute: '2-digit', ...(step < 60 ? { second: '2-digit' } : {}) }, utc)
  return `${date(start)}, ${time(start)}${step <= 1 ? '' : ` – ${time(start + step)}`}`
}
