/** When a span ran. */
interface Timed {
  start_time: string
  end_time: string
}

/** The times of all spans, in ms since 1970, and the range that they cover. */
export interface Timeline {
  start: Float64Array
  end: Float64Array
  from: number
  to: number
}

/** The time in ms since 1970, with fractions: dates have only whole ones. */
export function preciseTime(text: string): number {
  const whole = Date.parse(text)
  const fraction = /\.\d{3}(\d{1,6})/.exec(text)?.[1]
  return fraction === undefined ? whole : whole + Number(`0.${fraction}`)
}

/** Reads the times. A span that ends before it starts, because clocks differ, has no duration. */
export function timelineOf(spans: readonly Timed[]): Timeline {
  // Not Float64Array.from, which is slow because it iterates.
  const start = new Float64Array(spans.length)
  const end = new Float64Array(spans.length)
  let [from, to] = [Infinity, -Infinity]
  spans.forEach(({ start_time, end_time }, index) => {
    const began = preciseTime(start_time)
    const ended = Math.max(preciseTime(end_time), began)
    start[index] = began
    end[index] = ended
    from = Math.min(from, began)
    to = Math.max(to, ended)
  })
  return spans.length === 0 ? { start, end, from: 0, to: 0 } : { start, end, from, to }
}

/** The position and width of a bar in percent of the range. Both stay within it. */
export function barOf({ start, end, from, to }: Timeline, index: number): { left: number; width: number } {
  const whole = to - from
  if (whole <= 0) return { left: 0, width: 100 }
  const left = (((start[index] ?? from) - from) / whole) * 100
  return { left, width: Math.max(0, (((end[index] ?? from) - from) / whole) * 100 - left) }
}

export function durationOf({ start, end }: Timeline, index: number): number {
  return (end[index] ?? 0) - (start[index] ?? 0)
}

/** Round times for the axis, in ms from the start of the range. */
export function ticksOf({ from, to }: Pick<Timeline, 'from' | 'to'>, most = 5): number[] {
  const whole = to - from
  if (whole <= 0) return [0]
  const power = 10 ** Math.floor(Math.log10(whole / most))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((width) => whole / width <= most) ?? whole
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, index) => index * step)
}
