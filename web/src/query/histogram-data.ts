import { narrow, timeSpan, type QueryState } from './state'

/** How a time range is split into bars, and the requests needed to count them. */
export interface Plan {
  from: number
  to: number
  /** The width of a bar in ms. */
  step: number
  /** Parts short enough for the server to count in buckets of this width. */
  parts: [number, number][]
}

const minute = 60_000
const hour = 3_600_000
const day = 86_400_000

// The server chooses buckets by the length of the range: seconds up to 5 minutes,
// minutes up to 2 hours, 5 minutes up to 12 hours, hours up to 3 days, then days.
// Longer ranges are requested in parts to get finer bars.
const steps: { upTo: number; step: number; part: number }[] = [
  { upTo: 5 * minute, step: 5_000, part: 5 * minute },
  { upTo: 20 * minute, step: 15_000, part: 5 * minute },
  { upTo: 2 * hour, step: minute, part: 2 * hour },
  { upTo: 12 * hour, step: 5 * minute, part: 12 * hour },
  { upTo: 26 * hour, step: 15 * minute, part: 12 * hour },
  { upTo: 3 * day, step: hour, part: 3 * day },
  { upTo: 8 * day, step: 2 * hour, part: 3 * day },
]

/** The plan for a range, or null if it has no start, in which case days are counted. */
export function planFor(state: QueryState, now: number): Plan | null {
  const span = timeSpan(state, now)
  if (span.from === null) return null
  const { from } = span
  const to = Math.max(span.to ?? now, from + 1000)
  const choice = steps.find(({ upTo }) => to - from <= upTo)
  if (choice === undefined) return { from, to, step: day, parts: [[from, to]] }
  const parts: [number, number][] = []
  for (let start = from; start < to; start += choice.part) parts.push([start, Math.min(to, start + choice.part)])
  return { from, to, step: choice.step, parts }
}

/** The query of each part. Their ranges do not overlap. */
export function partsOf(state: QueryState, plan: Plan | null): QueryState[] {
  if (plan === null) return [state]
  return plan.parts.map(([from, to], index) => narrow({ q: state.q, sources: state.sources }, from, index === plan.parts.length - 1 ? to : to - 1))
}

export interface Bar {
  /** In ms since 1970. */
  at: number
  good: number
  bad: number
}

/** The counted rows as bars without gaps. */
export function barsOf(rows: Record<string, unknown>[], plan: Plan | null): { bars: Bar[]; step: number } {
  const step = plan?.step ?? day
  const counts = new Map<number, Bar>()
  for (const row of rows) {
    const start = Date.parse(String(row.bucketKey))
    if (Number.isNaN(start)) continue
    const at = Math.floor(start / step) * step
    const bar = counts.get(at) ?? { at, good: 0, bad: 0 }
    for (const [status, value] of Object.entries(row)) {
      if (typeof value !== 'number') continue
      if (status === 'ERROR') bar.bad += value
      else bar.good += value
    }
    counts.set(at, bar)
  }
  const times = [...counts.keys()]
  const first = Math.floor((plan?.from ?? Math.min(...times)) / step) * step
  const last = plan === null ? Math.max(...times) : plan.to
  const bars: Bar[] = []
  // Limit the number of bars in case of an outlier date.
  for (let at = first; at <= last && bars.length < 4000; at += step) bars.push(counts.get(at) ?? { at, good: 0, bad: 0 })
  return { bars, step }
}
