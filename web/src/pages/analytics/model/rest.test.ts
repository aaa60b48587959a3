import { describe, expect, it } from 'vitest'
import type { Answer } from './answers'
import type { ChartRequest } from './definition'
import { comesToTotal, groupsNote, isRest, isRestRow, stacks, totalOf, withAllGroups, withRest } from './rest'

const chart: ChartRequest = { id: 'c', title: '', chartType: 'bar', metric: 'count', groupByField: 'prompt_id', timeSeries: true, limit: 2 }
const answer = (keys: string[], data: Record<string, unknown>[]): Answer => ({ id: 'c', title: '', chartType: 'bar', series: keys.map((key) => ({ key, label: `${key}!`, unit: 'count' })), data })
const total = (data: Record<string, unknown>[]) => answer(['value'], data)
const groups = answer(['a', 'b', 'c', 'd'], [{ bucketKey: 'mon', a: 5, b: 3, c: 2, d: 1 }, { bucketKey: 'tue', a: 4, b: 0, c: 0, d: 0 }])

/** The numbers of each bucket, in the order of the series. */
const table = ({ series, data }: Answer) => data.map((row) => series.map(({ key }) => row[key] ?? 0))

describe('withRest', () => {
  it('makes the parts of each bucket add up to its total', () => {
    const found = withRest(chart, groups, total([{ bucketKey: 'mon', value: 15 }, { bucketKey: 'tue', value: 4 }]))
    expect(found.series.map(({ label }) => label)).toEqual(['a!', 'b!', 'others (2)', 'no prompt'])
    expect(table(found)).toEqual([[5, 3, 3, 4], [4, 0, 0, 0]])
    expect(found.groups).toEqual({ shown: 2, all: 4, more: false })
  })

  it('includes a bucket without grouped requests', () => {
    const found = withRest(chart, groups, total([{ bucketKey: 'mon', value: 11 }, { bucketKey: 'tue', value: 4 }, { bucketKey: 'wed', value: 7 }]))
    expect(found.data.map(({ bucketKey }) => bucketKey)).toEqual(['mon', 'tue', 'wed'])
    expect(table(found)[2]).toEqual([0, 0, 0, 7])
  })

  it('adds nothing when the groups are complete', () => {
    const found = withRest({ ...chart, limit: 8 }, groups, total([{ bucketKey: 'mon', value: 11 }, { bucketKey: 'tue', value: 4 }]))
    expect(found.series.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('ignores rounding errors', () => {
    const found = withRest({ ...chart, metric: 'sum', metricField: 'cost' }, answer(['a', 'b'], [{ bucketKey: 'mon', a: 0.1, b: 0.2 }]), total([{ bucketKey: 'mon', value: 0.3000000000000005 }]))
    expect(found.series.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('does not count the others when the API returns only some', () => {
    const keys = Array.from({ length: 100 }, (_, index) => `g${index}`)
    const found = withRest(chart, answer(keys, [Object.fromEntries([['bucketKey', 'mon'], ...keys.map((key) => [key, 1])])]), total([{ bucketKey: 'mon', value: 250 }]))
    expect(found.series.map(({ label }) => label)).toEqual(['g0!', 'g1!', 'others'])
    expect(table(found)).toEqual([[1, 1, 248]])
  })

  it('limits groups that cannot be added up, and reports how many are shown', () => {
    const line: ChartRequest = { ...chart, chartType: 'line', metric: 'percentile', percentile: 95, metricField: 'latency_ms' }
    const found = withRest(line, groups, undefined)
    expect(found.series.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(groupsNote(line, found)).toBe('2 of 4 shown.')
  })

  it('completes a pie with parts that cannot be picked', () => {
    const pie: ChartRequest = { ...chart, chartType: 'donut', timeSeries: undefined, groupByField: 'error_type' }
    const found = withRest(pie, answer(['value'], [{ label: 'a', value: 5 }, { label: 'b', value: 2 }, { label: 'c', value: 2 }]), total([{ label: 'Overall', value: 10 }]))
    expect(found.data.map(({ label, value }) => [label, value])).toEqual([['a', 5], ['b', 2], ['others (1)', 2], ['no error type', 1]])
    expect(found.data.map(isRestRow)).toEqual([false, false, true, true])
  })

  it('does not change other charts', () => {
    const map: ChartRequest = { ...chart, timeSeries: undefined, chartType: 'heatmap' }
    expect(withRest(map, groups, undefined)).toBe(groups)
    expect(withAllGroups(map).limit).toBe(2)
  })
})

describe('totalOf', () => {
  it('is the same for charts with the same measure', () => {
    expect(totalOf(chart)).toEqual({ id: 'total-count-auto', title: '', chartType: 'bar', metric: 'count', timeSeries: true, timeBucket: 'auto' })
    expect(totalOf({ ...chart, groupByField: 'engine' })).toEqual(totalOf(chart))
    expect(totalOf({ ...chart, metric: 'sum', metricField: 'cost' })?.id).toBe('total-sum-cost-auto')
  })

  it.each([
    ['a non-additive measure', { metric: 'avg', metricField: 'cost' }],
    ['lines', { chartType: 'line' }],
    ['tags, which can overlap', { groupByField: 'tags' }],
    ['a chart without groups', { groupByField: undefined }],
  ] as [string, Partial<ChartRequest>][])('is not requested for %s', (_, change) => expect(totalOf({ ...chart, ...change })).toBeUndefined())
})

it('notes that stacked groups overlap', () => {
  const tags: ChartRequest = { ...chart, groupByField: 'tags' }
  expect([stacks(tags), comesToTotal(tags)]).toEqual([true, false])
  expect(groupsNote(tags, withRest(tags, groups, undefined))).toBe('2 of 4 shown. A request can be counted in several groups.')
  expect(groupsNote(chart, withRest(chart, groups, total([])))).toBeNull()
})

it('distinguishes the remainder from groups', () => {
  const { series } = withRest(chart, groups, total([{ bucketKey: 'mon', value: 15 }]))
  expect(series.map(({ key }) => isRest(key))).toEqual([false, false, true, true])
})

describe('charts that list their groups', () => {
  const rows = Array.from({ length: 37 }, (_, index) => ({ label: `m${index}`, groupKey: `m${index}`, value: 40 - index }))
  const all: Answer = { id: 'a', title: 'a', chartType: 'bar', series: [{ key: 'value', label: 'Requests', unit: 'count' }], data: rows }

  it('say how many of how many are shown', () => {
    const chart: ChartRequest = { id: 'a', title: 'a', chartType: 'bar', metric: 'count', groupByField: 'engine', limit: 10 }
    expect(withAllGroups(chart).limit).toBe(100)
    const cut = withRest(chart, all, undefined)
    expect(cut.data).toHaveLength(10)
    expect(groupsNote(chart, cut)).toBe('10 of 37 shown.')
    expect(groupsNote({ ...chart, limit: 50 }, withRest({ ...chart, limit: 50 }, all, undefined))).toBeNull()
  })

  it('say what the shares of a hierarchy are of', () => {
    const chart: ChartRequest = { id: 'a', title: 'a', chartType: 'sunburst', metric: 'count', hierarchyFields: ['provider_type', 'engine'], limit: 10 }
    expect(groupsNote(chart, withRest(chart, all, undefined))).toBe('10 of 37 shown. Shares are of those shown.')
  })
})
