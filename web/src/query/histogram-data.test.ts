import { describe, expect, it } from 'vitest'
import { barsOf, partsOf, planFor } from './histogram-data'
import { requestBody } from './state'

const now = Date.parse('2026-01-08T00:30:00Z')

describe('histogram', () => {
  it('requests finer buckets in parts', () => {
    const plan = planFor({ range: '24h' }, now)
    expect([plan?.step, plan?.parts.length]).toEqual([15 * 60_000, 2])
    expect(planFor({ range: '7d' }, now)?.parts).toHaveLength(3)
    expect(planFor({ range: '30d' }, now)).toMatchObject({ step: 86_400_000, parts: [[now - 30 * 86_400_000, now]] })
    expect(planFor({ range: 'all' }, now)).toBeNull()
    const [first, second] = partsOf({ q: 'model:a', range: '24h' }, plan).map((part) => requestBody(part))
    expect(first?.filter_group?.filters[0]).toMatchObject({ value: ['2026-01-07T00:30:00.000Z', '2026-01-07T12:29:59.999Z'] })
    expect(second?.filter_group?.filters[0]).toMatchObject({ value: ['2026-01-07T12:30:00.000Z', '2026-01-08T00:30:00.000Z'] })
    expect(second?.filter_group?.filters[1]).toMatchObject({ field: 'engine' })
  })

  it('fills gaps and adds up rows of the same bucket', () => {
    const plan = planFor({ range: '1h' }, now)
    const { bars } = barsOf([{ bucketKey: '2026-01-08T00:00:00Z', label: 'x', SUCCESS: 2, ERROR: 1 }, { bucketKey: '2026-01-08T00:00:00Z', WARNING: 3 }], plan)
    expect(bars).toHaveLength(61)
    expect(bars.find(({ good }) => good > 0)).toEqual({ at: Date.parse('2026-01-08T00:00:00Z'), good: 5, bad: 1 })
    expect(barsOf([{ bucketKey: '2026-01-01', ERROR: 1 }, { bucketKey: '2026-01-03', SUCCESS: 1 }], null).bars).toHaveLength(3)
    expect(barsOf([], null).bars).toEqual([])
  })
})
