import { expect, it } from 'vitest'
import { requestBody } from '@/query/state'
import { filterText } from './filter-text'

const group = (...filters: unknown[]) => ({ logic: 'AND', filters })

it('converts filters to an equivalent query', () => {
  const filters = [
    group({ field: 'status', operator: 'is', value: 'SUCCESS' }),
    group({ field: 'tags', operator: 'contains', value: 'two words' }, { field: 'latency_ms', operator: 'gt', value: 2000 }),
    group({ field: 'metadata', operator: 'key_equals', value: 'prod', nested_key: 'env' }),
    group({ field: 'engine', operator: 'in', value: ['a', 'b'] }, { logic: 'OR', filters: [{ field: 'status', operator: 'is', value: 'ERROR' }, { field: 'tags', operator: 'contains', value: 'x' }] }),
  ]
  for (const filter_group of filters) {
    const text = filterText({ filter_group })
    expect(text).not.toBeNull()
    expect(requestBody({ q: text ?? '', range: 'all' }).filter_group).toEqual(filter_group)
  }
})

it('keeps words', () => {
  expect(filterText({ q: 'refund', limit: 5 })).toBe('refund')
})

it('returns null for unknown filters', () => {
  expect(filterText({ filter_group: group({ field: 'nothing', operator: 'is', value: 1 }) })).toBeNull()
  expect(filterText({})).toBe('')
})
