import { describe, expect, it } from 'vitest'
import { hasChanged, hasOtherInput, uncomparedWords, verdictOf, type Change } from './verdict'

const difference = (change: number | null, low: number | null, high: number | null) => ({ before: 0, after: 0, change, confidence_low: low, confidence_high: high })

describe('the verdict on a difference', () => {
  it('is clear only when the interval excludes zero', () => {
    expect(verdictOf(difference(5, 1, 9))).toMatchObject({ words: 'better', tone: 'good' })
    expect(verdictOf(difference(-5, -9, -1))).toMatchObject({ words: 'worse', tone: 'bad' })
    expect(verdictOf(difference(5, -1, 11)).words).toBe('not significant')
    expect(verdictOf(difference(5, null, null)).words).toBe('not enough data')
    expect(verdictOf(difference(0, 0, 0)).words).toBe('unchanged')
    expect(verdictOf(difference(null, null, null)).words).toBe('no score')
  })
  it('makes no claim about other numbers', () => {
    expect(verdictOf({ ...difference(-0.3, -0.5, -0.1), score_type: 'numeric' })).toMatchObject({ words: 'lower', tone: 'violet' })
  })
})

const cell = (change: Change, before: unknown = true, after: unknown = true) => ({
  change,
  before: { status: 'PASSED' as const, value: before as boolean, error_message: null },
  after: { status: 'PASSED' as const, value: after as boolean, error_message: null },
})

it('finds changed rows', () => {
  expect(hasChanged([cell('same'), cell('worsened')])).toBe(true)
  expect(hasChanged([cell('same'), cell('not_compared'), cell('pending')])).toBe(false)
  expect(hasChanged([cell('not_compared', true, false)])).toBe(true)
})

it('distinguishes rows with different input from changed rows', () => {
  expect(hasOtherInput([cell('not_compared', true, false)])).toBe(true)
  expect(hasOtherInput([cell('worsened', true, false)])).toBe(false)
  expect(hasOtherInput([{ ...cell('not_compared'), before: null }])).toBe(false)
})

it('reports why cells are not compared', () => {
  const { before, after } = cell('not_compared', true, false)
  expect(uncomparedWords(before, after)).toBe('different input')
  expect(uncomparedWords(null, after)).toBe('only in the later run')
  expect(uncomparedWords(before, null)).toBe('only in the earlier run')
})
