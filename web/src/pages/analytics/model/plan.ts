import { timeSpan, type QueryState } from '@/query/state'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How the time range of a query is split into buckets, and the requests needed for them. */
export interface Plan {
  /** The ends in ms since 1970, or null. */
  from: number | null
  to: number | null
  /** The time of the request, which ends a range without an end. */
  now: number
  /** The length of a bucket in ms. */
  step: number
  /** Contiguous parts; just one unless the buckets would be too long. */
  parts: [from: number, to: number | null][]
}

// The server chooses buckets by the length of the range. A week would get days;
// requested in parts of less than three days, it gets hours.
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
  // A range that ends now is longer by the time the server measures it.
  const found = steps.find(({ upTo }) => end - from + (to === null ? minute : 0) <= upTo)
  if (found === undefined) return { ...none, parts: [[from, to]] }
  const { step, part = Infinity } = found
  const count = Math.max(1, Math.ceil((end - from) / part))
  const parts: Plan['parts'] = []
  let start = from
  for (let number = 1; number < count; number++) {
    // A part ends with a bucket, so that no bucket is split.
    const next = Math.floor((start + (end - from) / count) / step) * step
    parts.push([start, next - 1])
    start = next
  }
  parts.push([start, to])
  return { ...none, step, parts }
}

const mostBuckets = 3000

/** The starts of all buckets of the plan in ms: those with requests and those between them. */
export function bucketStarts({ from, to, now, step }: Plan, found: number[]): number[] {
  const known = [...new Set(found)].sort((a, b) => a - b)
  const first = Math.floor((from ?? known[0] ?? now) / step) * step
  const last = Math.floor((to ?? now) / step) * step
  // Limit the number of buckets in case of an outlier date.
  if ((last - first) / step > mostBuckets) return known
  const starts: number[] = []
  for (let start = first; start <= last; start += step) starts.push(start)
  const all = new Set([...starts, ...known])
  return all.size === starts.length ? starts : [...all].sort((a, b) => a - b)
}
