import { expect, it } from 'vitest'
import { versionLines, versionTotals, versionValue } from './series'

const chart = (data: Record<string, unknown>[], keys: string[] = []) => ({ id: 'c', title: 'c', chartType: 'line', data, series: keys.map((key) => ({ key, label: key, unit: 'count' })) })

it('puts charts on one axis and fills gaps', () => {
  const rows = [{ bucketKey: '2026-01-01', '1': 3, '2': 0 }, { bucketKey: '2026-01-02', '1': 1, '2': 2 }, { bucketKey: '2026-01-04', '1': 0, '2': 5 }]
  const { counts } = versionLines({ counts: chart(rows, ['1', '2']) }, 'zero')
  expect(counts?.times).toHaveLength(4)
  expect(counts?.lines).toEqual([{ version: '2', values: [0, 2, 0, 5] }, { version: '1', values: [3, 1, 0, 0] }])
  expect(versionLines({ counts: chart(rows, ['2']) }, 'none').counts?.lines[0]?.values).toEqual([null, 2, null, 5])
})

it('keeps the length of buckets when most are empty', () => {
  const times = (...keys: string[]) => versionLines({ a: chart(keys.map((bucketKey) => ({ bucketKey, '1': 1 })), ['1']) }, 'zero').a?.times
  expect(times('2026-01-01', '2026-01-07')).toHaveLength(7)
  expect(times('2026-01-01T03:00:00Z', '2026-01-01T07:00:00Z')).toHaveLength(5)
  expect(times('2026-01-01T03:10:00Z', '2026-01-01T04:00:00Z')).toHaveLength(11)
})

it('supports buckets shorter than a day', () => {
  expect(versionLines({ a: chart([{ bucketKey: '2026-01-01T03:00:00Z', '1': 1 }], ['1']) }, 'zero').a?.times).toEqual([Date.UTC(2026, 0, 1, 3) / 1000])
  expect(versionLines({ a: undefined }, 'zero').a).toEqual({ times: [], lines: [] })
})

it('aggregates by version', () => {
  const models = chart([{ label: '1', secondaryLabel: 'small', value: 2 }, { label: '1', secondaryLabel: 'large', value: 7 }, { label: '10', secondaryLabel: 'large', value: 2 }, { label: '10', secondaryLabel: 'small', value: 0 }])
  const tokens = chart([{ label: '1', value: 900 }])
  expect(versionTotals({ requests: chart([{ label: '1', value: 9 }, { label: '10', value: 2 }]), errors: chart([{ label: '1', value: 3 }]), tokens, models })).toEqual([
    { version: '10', requests: 2, errors: 0, tokens: 0, models: ['large'], cost: 0, latency: null, p95: null },
    { version: '1', requests: 9, errors: 3, tokens: 900, models: ['large', 'small'], cost: 0, latency: null, p95: null },
  ])
})

it('finds the value of a version', () => {
  const means = chart([{ label: '1', value: 75.5 }, { label: '2', value: null }])
  expect([versionValue(means, '1'), versionValue(means, '2'), versionValue(means, '3'), versionValue(undefined, '1')]).toEqual([75.5, null, null, null])
})
