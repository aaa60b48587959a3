import { describe, expect, it } from 'vitest'
import { daysProblem, draftOf, isChanged, isComplete, previewWords, ruleProblem, rulesOf } from './rules'

const stored = { rules: [{ status: 'ERROR' as const, days: 90 }, { tag: 'keep', days: 0 }], days: 30, text_days: 0 }

describe('the form', () => {
  it('shows and sends the rules as they are', () => {
    expect(rulesOf(draftOf(stored))).toEqual(stored)
    expect(isChanged(draftOf(stored), stored)).toBe(false)
    expect(draftOf({})).toEqual({ rules: [], days: '', textDays: '' })
    expect(rulesOf(draftOf({}))).toEqual({ rules: [], days: 0, text_days: 0 })
  })

  it('sees changes', () => {
    expect(isChanged({ ...draftOf(stored), textDays: '7' }, stored)).toBe(true)
    expect(isChanged({ ...draftOf(stored), rules: draftOf(stored).rules.toReversed() }, stored)).toBe(true)
  })

  it('accepts days from 1 to 36,500, or none', () => {
    expect(['', ' 7 ', '1', '36500'].map(daysProblem)).toEqual([null, null, null, null])
    for (const wrong of ['0', '-1', '1.5', 'x', '36501', '1e3']) expect(daysProblem(wrong), wrong).toContain('From 1')
  })

  it('needs a status or a tag for each rule', () => {
    const empty = { status: '' as const, tag: ' ', days: '1' }
    expect(ruleProblem(empty)).toContain('status or a tag')
    expect(ruleProblem({ ...empty, tag: 'a' })).toBeNull()
    expect(isComplete({ ...draftOf(stored), rules: [empty] })).toBe(false)
    expect(isComplete({ ...draftOf(stored), days: '0' })).toBe(false)
    expect(isComplete(draftOf(stored))).toBe(true)
  })
})

describe('the words of a preview', () => {
  it('add up the requests', () => {
    expect(previewWords({ rules: [2, 1000], rest: 3, texts: 30 })).toBe('1,005 requests and the texts of 30')
    expect(previewWords({ rules: [], rest: 1, texts: 0 })).toBe('1 request')
    expect(previewWords({ rules: [], rest: 0, texts: 1 })).toBe('the texts of 1 request')
    expect(previewWords({ rules: [0], rest: 0, texts: 0 })).toBeNull()
  })
})
