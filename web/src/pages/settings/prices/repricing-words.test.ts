import { describe, expect, it } from 'vitest'
import { requestBody } from '@/query/state'
import { queryWords } from '@/query/stored'
import { changeWords, isRevertible, keptWords, modelBody, withoutPrice } from './repricing-words'

describe('a re-pricing', () => {
  it('starts with requests that have no price', () => {
    expect(requestBody(withoutPrice())).toEqual({ filter_group: { logic: 'AND', filters: [{ field: 'cost', operator: 'is_null' }] } })
  })

  it('can be that of a model', () => {
    expect(queryWords(modelBody({ provider: 'house', model: 'm' }))).toBe('provider is house and model is m and cost is not set')
  })

  it('shows how the total changes', () => {
    expect(changeWords({ old_total: 1, new_total: 1.5 })).toBe('$1.00 → $1.50 (+$0.500)')
    expect(changeWords({ old_total: 2, new_total: 1 })).toBe('$2.00 → $1.00 (−$1.00)')
    expect(changeWords({ old_total: 0, new_total: 0 })).toBe('$0 → $0')
  })

  it('says which requests keep their price', () => {
    expect(keptWords({ kept_sent: 0, without_price: 0 })).toBe('')
    expect(keptWords({ kept_sent: 1200, without_price: 3 })).toBe('1,200 keep the price that was sent, 3 have no tokens or a model without a price')
  })

  it('can be reverted if it has ended and changed something', () => {
    expect((['running', 'done', 'cancelled', 'failed', 'reverting', 'reverted'] as const).filter((state) => isRevertible({ state, changed: 1 }))).toEqual(['done', 'cancelled', 'failed'])
    expect(isRevertible({ state: 'done', changed: 0 })).toBe(false)
  })
})

describe('the requests of a re-pricing', () => {
  it.each([
    [{}, 'All requests'],
    [null, 'All requests'],
    [{ q: 'refund' }, '“refund”'],
    [{ q: 'refund', filter_group: { logic: 'AND', filters: [{ field: 'cost', operator: 'is_null' }] } }, '“refund” and cost is not set'],
    [{ filter_group: { logic: 'OR', filters: [{ field: 'engine', operator: 'in', value: ['a', 'b'] }, { logic: 'AND', filters: [{ field: 'cost', operator: 'gt', value: 1 }] }] } }, 'model is any of a, b or (cost > 1)'],
    [{ filters: [{ field: 'metadata', nested_key: 'user', operator: 'key_equals', value: 'ada' }] }, 'metadata.user is ada'],
    [{ filter_group: { filters: [{ field: 'new_field', operator: 'near', value: { deep: true } }, 7] } }, 'new_field near '],
  ])('are described: %j', (query, words) => expect(queryWords(query)).toBe(words))
})
