import { expect, it } from 'vitest'
import { averageScore, versionLines, versionTotals } from './series'

const chart = (data: Record<string, unknown>[], keys: string[] = []) => ({ id: 'c', title: 'c', chartType: 'line', data, series: keys.map((key) => ({ key, label: key, unit: 'count' })) })

it('puts charts on one axis and fills gaps', () => {
  const rows = [{ bucketKey: '2026-01-01', '1': 3, '2': 0 }, { bucketKey: '2026-01-02', '1': 1, '2': 2 }, { bucketKey: '2026-01-04', '1': 0, '2': 5 }]
  const { counts } = versionLines({ counts: chart(rows, ['1', '2']) }, 'zero')
  expect(counts?.times).toHaveLength(4)
  expect(counts?.lines).toEqual([{ version: '2', values: [0, 2, 0, 5] }, { version: '1', values: [3, 1, 0, 0] }])
  expect(versionLines({ counts: chart(rows, ['2']) }, 'none').counts?.lines[0]?.values).toEqual([null, 2, null, 5])
})

it('supports buckets shorter than a day', () => {
  expect(versionLines({ a: chart([{ bucketKey: '2026-01-01T03:00:00Z', '1': 1 }], ['1']) }, 'zero').a?.times).toEqual([Date.UTC(2026, 0, 1, 3) / 1000])
  expect(versionLines({ a: undefined }, 'zero').a).toEqual({ times: [], lines: [] })
})

it('aggregates by version', () => {
  expect(versionTotals({ requests: chart([{ label: '1', value: 9 }, { label: '10', value: 2 }]), errors: chart([{ label: '1', value: 3 }]) })).toEqual([
    { version: '10', requests: 2, errors: 0, cost: 0, latency: null, p95: null },
    { version: '1', requests: 9, errors: 3, cost: 0, latency: null, p95: null },
  ])
})

it('averages scores', () => {
  expect(averageScore([{ scores: [{ score: 100 }, { score: 50 }] }, {}, { scores: [] }])).toBe(75)
  expect(averageScore([{ scores: [] }])).toBeNull()
})
