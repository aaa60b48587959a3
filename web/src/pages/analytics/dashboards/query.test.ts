import { describe, expect, it } from 'vitest'
import { addressOf, isSaved, shownQuery } from './query'

const saved = { q: 'model:a', range: '30d' }

describe('the query of a dashboard', () => {
  it('is the saved one when the URL has none', () => expect(shownQuery({}, saved)).toEqual(saved))

  it('can be cleared even if one is saved', () => {
    const search = addressOf({})
    expect(search).toEqual({ q: '', range: '7d' })
    expect(shownQuery(search, saved)).toEqual({})
    expect(isSaved(shownQuery(search, saved), saved)).toBe(false)
  })

  it('survives a round trip through the URL', () => {
    const state = { q: 'tag:x', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }
    expect(shownQuery(addressOf(state), saved)).toEqual({ ...state, range: undefined })
  })

  it('treats the default range and no range the same', () => expect(isSaved({ q: undefined }, { range: '7d' })).toBe(true))
})
