import { describe, expect, it } from 'vitest'
import { changeBody, createBody, draftOf, importBody, isComplete, matching, rateProblem, startProblem, startText, type Price } from './price-form'

const price: Price = {
  id: 3, source: 'custom', provider: 'openai', model: 'gpt-4o', valid_from: '2026-01-31T00:00:00Z', input: 2.5, output: 10, cache_read: 0, created_by: null, updated_at: null,
}

describe('the form of a price', () => {
  it('shows what a price has', () => {
    expect(draftOf(price)).toEqual({
      provider: 'openai', model: 'gpt-4o', valid_from: '2026-01-31', input: '2.5', output: '10', cache_read: '0', cache_write: '', cache_write_1h: '', reasoning: '', batch_input: '', batch_output: '',
    })
    expect(isComplete(draftOf(price))).toBe(true)
    expect(isComplete(draftOf({ provider: 'openai', model: 'gpt-4o' }))).toBe(false)
  })

  it('omits what is empty from a new price', () => {
    expect(createBody({ ...draftOf(price), valid_from: ' ', model: ' gpt-4o ' })).toEqual({ provider: 'openai', model: 'gpt-4o', input: 2.5, output: 10, cache_read: 0 })
    expect(createBody(draftOf(price)).valid_from).toBe('2026-01-31')
  })

  it('sets what is empty to its default when a price changes', () => {
    expect(changeBody({ ...draftOf(price), cache_read: '', valid_from: '' })).toEqual({
      provider: 'openai', model: 'gpt-4o', valid_from: '1970-01-01T00:00:00Z', input: 2.5, output: 10, cache_read: null, cache_write: null, cache_write_1h: null, reasoning: null, batch_input: null, batch_output: null,
    })
  })

  it('refuses rates that are no prices', () => {
    expect(['', '-1', '1000001', 'x', '1e309', '0', '1e-6'].map((text) => rateProblem('input', text))).toEqual([
      'Required', 'From 0 to 1,000,000', 'From 0 to 1,000,000', 'Not a number', 'Not a number', null, null,
    ])
    expect(rateProblem('cache_read', ' ')).toBeNull()
  })

  it('reads and shows starts', () => {
    expect(['', '2026-01-31', '2026-01-31T10:00:00Z', 'tomorrow', '2026-13-01', '31.1.2026'].map((text) => startProblem(text) === null)).toEqual([true, true, true, false, false, false])
    expect(['1970-01-01T00:00:00Z', undefined, '2026-01-31T00:00:00Z', '2026-01-31T10:30:00Z'].map(startText)).toEqual(['', '', '2026-01-31', '2026-01-31T10:30:00Z'])
  })
})

describe('the list', () => {
  it('is searched by provider and model', () => {
    const list = [price, { ...price, model: 'gpt-4o-mini' }, { ...price, provider: 'azure' }]
    expect(matching(list, '').length).toBe(3)
    expect(matching(list, 'OPENAI mini').map(({ model }) => model)).toEqual(['gpt-4o-mini'])
    expect(matching(list, 'claude')).toEqual([])
  })
})

describe('a file to import', () => {
  it('is CSV unless it is JSON', () => {
    expect(importBody('provider,model\nx,y\n')).toEqual({ csv: 'provider,model\nx,y\n' })
    expect(importBody('{"prices":[]}')).toEqual({ prices: [] })
    expect(importBody(' [{"provider":"x"}]')).toEqual({ prices: [{ provider: 'x' }] })
  })

  it('is refused if it is something else', () => {
    expect(() => importBody('{"models":[]}')).toThrow('no list of prices')
    expect(() => importBody('{broken')).toThrow()
  })
})
