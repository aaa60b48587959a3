import { describe, expect, it } from 'vitest'
import { coarser, joinParts, timeTable, type Answer } from './answers'
import type { ChartRequest } from './definition'
import { planFor } from './plan'

const info = (key: string) => ({ key, label: key.toUpperCase(), unit: 'count' })
const answer = (series: string[], data: Record<string, unknown>[]): Answer => ({ id: 'c', title: '', chartType: 'bar', series: series.map(info), data })
const now = Date.parse('2026-01-08T12:30:00Z')

describe('joinParts', () => {
  it('concatenates the rows and keeps the groups of the whole', () => {
    const joined = joinParts(answer(['c', 'b'], [{ bucketKey: '2026-01-01', c: 9, b: 4 }]), [
      answer(['a', 'b'], [{ bucketKey: '2026-01-01T00:00:00Z', a: 2, b: 1 }]),
      answer(['c', 'b'], [{ bucketKey: '2026-01-01T01:00:00Z', c: 9, b: 3 }]),
    ])
    expect(joined.series.map(({ key }) => key)).toEqual(['c', 'b'])
    expect(joined.data.map(({ b }) => b)).toEqual([1, 3])
  })
})

describe('timeTable', () => {
  const chart: ChartRequest = { id: 'c', title: '', chartType: 'bar', metric: 'count', timeSeries: true }

  it('counts 0 in empty buckets', () => {
    const table = timeTable(chart, answer(['value'], [{ bucketKey: '2026-01-08T10:00:00Z', value: 4 }]), planFor({ range: '24h' }, now))
    expect(table.times).toHaveLength(25)
    expect(table.series[0]?.values.filter((value) => value === 4)).toHaveLength(1)
    expect(table.series[0]?.values.every((value) => value !== null)).toBe(true)
    expect([table.step, table.utc]).toEqual([3600, false])
  })

  it('has no averages in empty buckets', () => {
    const average: ChartRequest = { ...chart, metric: 'avg', metricField: 'cost', groupByField: 'engine' }
    const table = timeTable(average, answer(['a'], [{ bucketKey: '2026-01-08T10:00:00Z', a: 0 }]), planFor({ range: '24h' }, now))
    expect(table.series[0]?.values.every((value) => value === null)).toBe(true)
  })

  it('shows only weeks with data', () => {
    const table = timeTable({ ...chart, timeBucket: 'week' }, answer(['value'], [{ bucketKey: '2026-01-05', value: 1 }]), planFor({ range: 'all' }, now))
    expect(table.times).toEqual([Date.parse('2026-01-05') / 1000])
    expect(table.utc).toBe(true)
  })
})

describe('coarser', () => {
  it('merges buckets without losing requests', () => {
    const times = Array.from({ length: 169 }, (_, hour) => hour * 3600)
    const table = coarser({ times, step: 3600, utc: false, series: [{ key: 'a', label: 'A', values: times.map(() => 2) }] })
    expect(table.times).toHaveLength(85)
    expect(table.step).toBe(7200)
    expect(table.series[0]?.values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0)).toBe(338)
  })

  it('keeps a small number of buckets', () => {
    expect(coarser({ times: [0, 60], step: 60, utc: false, series: [] }).times).toEqual([0, 60])
  })
})
