import { describe, expect, it } from 'vitest'
import { definitionOf, draftOf, draftProblem, kinds, newDraft, titleOf, type Draft, type KindName } from './draft'

const draft = (change: Partial<Draft>): Draft => ({ ...newDraft(), id: 'c1', ...change })
const cost = { metric: 'sum', field: 'cost', percentile: 95, key: '', score: '' } as const
const slow = { metric: 'percentile', field: 'latency_ms', percentile: 99, key: '', score: '' } as const
const helpful = { metric: 'avg', field: 'scores', percentile: 95, key: '', score: 'helpful' } as const

describe('a draft', () => {
  it('becomes a chart definition without unused members', () => {
    expect(definitionOf(draft({ kind: 'time-bars', measures: [cost], group: { field: 'engine' }, limit: 5 }))).toEqual({
      id: 'c1', title: 'Cost by model', chartType: 'bar', metric: 'sum', metricField: 'cost', groupByField: 'engine', timeSeries: true, limit: 5, layout: { width: 'half' },
    })
    expect(definitionOf(draft({ kind: 'number', measures: [slow], group: { field: 'engine' } }))).toEqual({
      id: 'c1', title: 'Latency p99', chartType: 'bar', metric: 'percentile', metricField: 'latency_ms', percentile: 99, layout: { width: 'half' },
    })
  })

  it('lists several measures as series with ratios', () => {
    const chart = definitionOf(draft({ kind: 'time-line', measures: [cost, slow], ratios: [{ label: 'Cost per second', above: 0, below: 1 }] }))
    expect(chart.series?.map(({ key, label }) => [key, label])).toEqual([['s1', 'Cost'], ['s2', 'Latency p99']])
    expect(chart.derivedInsights).toEqual([{ type: 'ratio', label: 'Cost per second', numeratorSeriesKey: 's1', denominatorSeriesKey: 's2' }])
    expect(chart.metric).toBeUndefined()
  })

  it('keeps only the first measure when lines are grouped', () => {
    expect(definitionOf(draft({ kind: 'time-line', measures: [cost, slow], group: { key: 'env' } }))).toMatchObject({ metric: 'sum', groupByMetadataKey: 'env' })
  })

  it.each(Object.keys(kinds) as KindName[])('survives saving as %s', (kind) => {
    const chart = definitionOf(draft({ kind, measures: [slow], group: { field: 'tags' }, second: { key: 'env' }, q: 'model:x', width: 'full', bin: '500', bucket: 'week' }))
    expect(definitionOf(draftOf(chart))).toEqual(chart)
    expect(draftOf(chart).kind).toBe(kind)
  })

  it.each(Object.keys(kinds) as KindName[])('of scores survives saving as %s', (kind) => {
    const chart = definitionOf(draft({ kind, measures: [helpful], group: { score: 'helpful' }, second: { score: 'tone' }, distribution: 'scores', distributionScore: 'helpful' }))
    expect(definitionOf(draftOf(chart))).toEqual(chart)
    expect(chart).toMatchObject({ metricField: 'scores', metricNestedKey: 'helpful' })
  })

  it.each<[string, Partial<Draft>]>([
    ['split by', { kind: 'pie' }],
    ['metadata key', { kind: 'ranking', group: { key: ' ' } }],
    ['score', { measures: [{ ...helpful, score: ' ' }] }],
    ['score', { kind: 'ranking', group: { score: '' } }],
    ['score', { kind: 'histogram', distribution: 'scores' }],
    ['rows and columns', { kind: 'heatmap', group: { field: 'engine' } }],
    ['different', { kind: 'heatmap', group: { field: 'engine' }, second: { field: 'engine' } }],
    ['levels', { kind: 'treemap', levels: ['engine', 'engine'] }],
    ['Counts', { measures: [cost, newDraft().measures[0] ?? cost] }],
    ['bin', { kind: 'histogram', bin: 'x' }],
  ])('reports that %s is missing or wrong', (words, change) => expect(draftProblem(draft(change))).toContain(words))

  it('has a default title', () => {
    expect(titleOf(draft({ kind: 'heatmap', measures: [cost], group: { field: 'engine' }, second: { key: 'env' } }))).toBe('Cost by model and env')
    expect(titleOf(draft({ kind: 'histogram' }))).toBe('Requests by latency')
    expect(titleOf(draft({ measures: [helpful], group: { score: 'tone' } }))).toBe('Average score helpful by score tone')
  })
})
