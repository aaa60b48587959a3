import { timeSpan, type QueryState } from '@/query/state'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How the time of a query is cut into buckets, and what the server must be asked for them. */
export interface Plan {
  /** The ends in ms since 1970, null where the query has none. */
  from: number | null
  to: number | null
  /** The moment of asking, which ends a range without an end. */
  now: number
  /** The length of a bucket in ms. */
  step: number
  /** Stretches that follow each other; one unless the buckets would be too long. */
  parts: [from: number, to: number | null][]
}

// The server chooses its buckets by the length of what it is asked for. A week
// would get days; asked for in stretches of less than three days, it gets hours.
const steps = [
  { upTo: 5 * minute, step: 1000 },
  { upTo: 2 * hour, step: minute },
  { upTo: 12 * hour, step: 5 * minute },
  { upTo: 72 * hour, step: hour },
  { upTo: 8 * day + hour, step: hour, part: 70 * hour },
]

export function planFor(state: QueryState, now: number): Plan {
  const { from, to } = timeSpan(state, now)
  const none: Plan = { from, to, now, step: day, parts: [] }
  if (from === null) return none
  const end = to ?? now
  // What ends now has become longer by the time the server measures it.
  const found = steps.find(({ upTo }) => end - from + (to === null ? minute : 0) <= upTo)
  if (found === undefined) return { ...none, parts: [[from, to]] }
  const { step, part = Infinity } = found
  const count = Math.max(1, Math.ceil((end - from) / part))
  const parts: Plan['parts'] = []
  let start = from
  for (let number = 1; number < count; number++) {
    // A stretch ends with a bucket, so that no bucket is cut in two.
    const next = Math.floor((start + (end - from) / count) / step) * step
    parts.push([start, next - 1])
    start = next
  }
  parts.push([start, to])
  return { ...none, step, parts }
}

const mostBuckets = 3000

/** The starts of all buckets of the plan, in ms: those with requests and those between them. */
export function bucketStarts({ from, to, now, step }: Plan, found: number[]): number[] {
  const known = [...new Set(found)].sort((a, b) => a - b)
  const first = Math.floor((from ?? known[0] ?? now) / step) * step
  const last = Math.floor((to ?? now) / step) * step
  // A wild date must not make millions of buckets.
  if ((last - first) / step > mostBuckets) return known
  const starts: number[] = []
  for (let start = first; start <= last; start += step) starts.push(start)
  const all = new Set([...starts, ...known])
  return all.size === starts.length ? starts : [...all].sort((a, b) => a - b)
}
