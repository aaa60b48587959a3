import { describe, expect, it } from 'vitest'
import { groupFields, type GroupField } from '@/query/fields'
import { findError } from '@/query/parse'
import { draftOf, draftProblem } from '../model/draft'
import { chartsBy, errorTypeChart, modelChart, rankingChart } from './charts'

describe('the charts of the overview', () => {
  it('are grouped by the field or metadata key in the URL', () => {
    expect(chartsBy('engine').every(({ groupByField }) => groupByField === 'engine')).toBe(true)
    expect(chartsBy('metadata.env').every(({ groupByMetadataKey }) => groupByMetadataKey === 'env')).toBe(true)
    expect(chartsBy('no such field')).toBe(chartsBy(undefined))
  })

  it.each([undefined, 'metadata.env', ...(Object.keys(groupFields) as GroupField[])])('by %s can be edited and saved in a dashboard', (by) => {
    const charts = [...chartsBy(by), modelChart, errorTypeChart, rankingChart('Tags', 'tags'), rankingChart('Env', { key: 'env' }, { metric: 'sum', metricField: 'cost' })]
    for (const chart of charts) {
      expect([chart.title, draftProblem(draftOf(chart))]).toEqual([chart.title, null])
      expect([chart.title, findError(chart.q ?? '')]).toEqual([chart.title, null])
    }
    expect(new Set(chartsBy(by).map(({ id }) => id)).size).toBe(chartsBy(by).length)
  })

  it('count only errors, not warnings, as errors', () => {
    for (const chart of [...chartsBy(undefined), ...chartsBy('engine')].filter(({ id }) => id === 'errors')) expect(chart.q).toBe('status:ERROR')
    expect(errorTypeChart.q).toBe('status:ERROR')
  })
})
