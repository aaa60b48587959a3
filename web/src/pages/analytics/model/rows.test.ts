import { describe, expect, it } from 'vitest'
import type { ChartRequest } from './definition'
import { cellParts, firstKey, partOf, pathOf, pathParts, textAt, valueAt } from './rows'

const chart: ChartRequest = { id: 'c', title: '', chartType: 'bar', metric: 'count', groupByField: 'prompt_id' }

describe('rows of a chart', () => {
  it('read numbers, texts and paths, and nothing else', () => {
    const row = { value: 3, label: 'a', path: ['x', 4], odd: {} }
    expect([valueAt(row, 'value'), valueAt(row, 'label'), valueAt(row, 'missing')]).toEqual([3, null, null])
    expect([textAt(row, 'label'), textAt(row, 'value'), textAt(row, 'odd')]).toEqual(['a', '', ''])
    expect([pathOf(row), pathOf({ path: 'x' })]).toEqual([['x', '4'], []])
  })

  it('find the member with the first number', () => {
    expect(firstKey({ id: 'c', series: [{ key: 's1', label: 'Cost', unit: 'currency' }], data: [] } as never)).toBe('s1')
    expect(firstKey({ id: 'c', series: [], data: [] } as never)).toBe('value')
  })

  it('stand for a value of the group, with its id where there is one', () => {
    expect(partOf(chart, { label: 'welcome', groupKey: '12' })).toEqual([{ group: { field: 'prompt_id' }, value: '12', label: 'welcome' }])
    expect(partOf(chart, { label: 'gpt-4o' })).toEqual([{ group: { field: 'prompt_id' }, value: 'gpt-4o', label: 'gpt-4o' }])
  })

  it('stand for nothing without a group or as a remainder', () => {
    expect(partOf({ ...chart, groupByField: undefined }, { label: 'a' })).toEqual([])
    expect(partOf(chart, { label: 'others (2)', groupKey: '\u0000others' })).toEqual([])
  })

  it('of a heat map stand for both groups', () => {
    const heat: ChartRequest = { ...chart, chartType: 'heatmap', groupByField: 'engine', secondaryGroupByField: 'prompt_id' }
    expect(cellParts(heat, { label: 'gpt-4o', secondaryLabel: 'welcome', secondaryGroupKey: '12' })).toEqual([
      { group: { field: 'engine' }, value: 'gpt-4o', label: 'gpt-4o' }, { group: { field: 'prompt_id' }, value: '12', label: 'welcome' },
    ])
  })

  it('of a hierarchy stand for the levels of their path', () => {
    const tree: ChartRequest = { ...chart, chartType: 'treemap', groupByField: undefined, hierarchyFields: ['engine', 'prompt_id', 'status'] }
    expect(pathParts(tree, ['gpt-4o', 'welcome']).map(({ value, label }) => [value, label])).toEqual([['gpt-4o', 'gpt-4o'], ['', 'welcome']])
    expect(pathParts(tree, ['gpt-4o', '12'])[1]?.value).toBe('12')
  })
})
