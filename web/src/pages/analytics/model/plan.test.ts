import { describe, expect, it } from 'vitest'
import { bucketStarts, planFor } from './plan'

const now = Date.parse('2026-01-08T12:30:00Z')
const hour = 3_600_000

describe('planFor', () => {
  it.each([['1h', 60_000], ['6h', 300_000], ['24h', hour], ['7d', hour], ['30d', 24 * hour], ['all', 24 * hour]])(
    'splits %s into buckets of %d ms', (range, step) => expect(planFor({ range }, now).step).toBe(step))

  it('requests a week in contiguous parts', () => {
    const { parts } = planFor({ range: '7d' }, now)
    expect(parts).toHaveLength(3)
    expect(parts[1]?.[0]).toBe((parts[0]?.[1] ?? 0) + 1)
    expect(parts.at(-1)?.[1]).toBeNull()
    expect(parts.slice(1).every(([from]) => from % hour === 0)).toBe(true)
  })

  it.each(['3d', '73h', '4d', '6d', '7d', '8d'])('splits %s into parts for which the server chooses hours', (range) => {
    for (const [from, to] of planFor({ range }, now).parts) {
      expect((to ?? now + 30_000) - from).toBeLessThanOrEqual(72 * hour)
      expect((to ?? now) - from).toBeGreaterThan(12 * hour)
    }
  })

  it('does not split a short range', () => expect(planFor({ range: '24h' }, now).parts).toEqual([[now - 24 * hour, null]]))
})

describe('bucketStarts', () => {
  it('fills the gaps of the range', () => {
    const starts = bucketStarts(planFor({ range: '24h' }, now), [])
    expect(starts).toHaveLength(25)
    expect(new Date(starts[0] ?? 0).toISOString()).toBe('2026-01-07T12:00:00.000Z')
  })

  it('starts with the first request when the range has no start', () => {
    const first = Date.parse('2026-01-05T00:00:00Z')
    expect(bucketStarts(planFor({ range: 'all' }, now), [first])).toHaveLength(4)
  })

  it('leaves gaps when there would be too many buckets', () => {
    expect(bucketStarts(planFor({ range: 'all' }, now), [0, now])).toEqual([0, now])
  })
})
