import { describe, expect, it } from 'vitest'
import type { QueryState } from '@/query/state'
import { groupsOf, narrowTo, narrowToRange } from './pick'

describe('narrowTo', () => {
  it.each([
    [{ field: 'engine' }, 'gpt-4o', 'gpt-4o', 'model:gpt-4o'],
    [{ field: 'tags' }, 'two words', 'two words', 'tag:"two words"'],
    [{ field: 'prompt_id' }, '7', 'greeting', 'prompt:greeting'],
    [{ field: 'prompt_id' }, '7', '7', 'prompt_id:7'],
    [{ field: 'prompt_version_number' }, '3', '3', 'version:3'],
    [{ field: 'prompt_version_ref' }, '7:3', 'greeting v2 v3', 'prompt:"greeting v2" version:3'],
    [{ field: 'prompt_version_ref' }, '7:3', '7:3', 'prompt_version:7:3'],
    [{ field: 'api_key_id' }, '5', 'storefront', 'key:storefront'],
    [{ field: 'api_key_id' }, '5', '5', 'key_id:5'],
    [{ key: 'env' }, 'prod', 'prod', 'metadata.env:prod'],
  ] as const)('converts %o %s to the filter %s', (group, value, label, q) => expect(narrowTo<QueryState>({}, [{ group, value, label }]).q).toBe(q))

  it('extends the query', () => {
    expect(narrowTo({ q: 'status:ERROR' }, [{ group: { field: 'engine' }, value: 'a', label: 'a' }, { group: { key: 'env' }, value: 'b', label: 'b' }]).q).toBe('status:ERROR model:a metadata.env:b')
  })
})

describe('narrowToRange', () => {
  it('includes the lower end and excludes the upper one', () => expect(narrowToRange<QueryState>({}, 'latency_ms', 1000, 2000).q).toBe('latency>=1000 latency<2000'))
})

describe('groupsOf', () => {
  it('lists both groups of a heat map and the levels of a tree', () => {
    expect(groupsOf({ id: 'c', title: '', chartType: 'heatmap', groupByField: 'engine', secondaryGroupByMetadataKey: 'env' })).toEqual([{ field: 'engine' }, { key: 'env' }])
    expect(groupsOf({ id: 'c', title: '', chartType: 'treemap', hierarchyFields: ['engine', 'status'] })).toEqual([{ field: 'engine' }, { field: 'status' }])
  })
})
