import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyOf, readWidths, storeWidths } from './remembered-widths'

const wide = new Map([['answer', 300]])
const none = new Map()

describe('remembered widths', () => {
  let stored: Map<string, string>
  beforeEach(() => {
    stored = new Map()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('belong to an evaluation of a workspace', () => {
    const narrow = new Map([['constructor', 80]])
    storeWidths(1, 7, wide)
    storeWidths(1, 8, narrow)
    expect([readWidths(1, 7), readWidths(1, 8), readWidths(1, 9), readWidths(2, 7)]).toEqual([wide, narrow, none, none])
  })
  it('are forgotten when none is left', () => {
    storeWidths(1, 7, wide)
    storeWidths(1, 7, none)
    expect([readWidths(1, 7), stored.size]).toEqual([none, 0])
  })
  it('are kept for the evaluations that were changed last', () => {
    for (let evaluation = 1; evaluation <= 60; evaluation++) storeWidths(1, evaluation, wide)
    expect([readWidths(1, 10), readWidths(1, 11), readWidths(1, 60)]).toEqual([none, wide, wide])
  })
  it.each(['{', '7', '[null, 3]', '[{"evaluation":7,"widths":null}]', '[{"evaluation":7,"widths":[["answer","wide"]]}]'])('ignore what else is stored: %s', (text) => {
    stored.set(keyOf(1), text)
    expect(readWidths(1, 7)).toEqual(none)
  })
  it('are within the bounds', () => {
    stored.set(keyOf(1), '[{"evaluation":7,"widths":[["answer",99999]]}]')
    expect(readWidths(1, 7)).toEqual(new Map([['answer', 1200]]))
  })
})
