import { describe, expect, it } from 'vitest'
import { readMatrices, readScore, showChange, showScore } from './score'

describe('scores', () => {
  it('are read in all formats', () => {
    expect(readScore(null)).toBeNull()
    expect(readScore({ overall_score: null, score_type: 'none', has_custom_scoring: false, details: { message: 'still running' } })).toMatchObject({ overall: null, message: 'still running', columns: [] })
    expect(readScore({ overall_score: 50, has_custom_scoring: false, details: { column_name: 'a', score: 50, score_type: 'boolean', num_skipped: 2 } })?.columns).toEqual([
      { name: 'a', score: 50, type: 'boolean', skipped: 2 },
    ])
    expect(readScore({ overall_score: 3, has_custom_scoring: false, details: { columns: [{ column_name: 'b', score: null, score_type: null, num_skipped: 0 }] } })?.columns).toHaveLength(1)
    expect(readScore({ overall_score: 3, has_custom_scoring: true, details: { sub_scores: { x: 1, y: 'no' } } })).toMatchObject({ custom: true, parts: [{ name: 'x', score: 1 }] })
  })
  it('are formatted with few digits', () => {
    expect(showScore(91.04)).toBe('91')
    expect(showScore(0.515)).toBe('0.52')
    expect(showScore(7)).toBe('7')
    expect(showScore(null)).toBe('–')
    expect(showChange(12.5)).toBe('+12.5')
    expect(showChange(-0.33)).toBe('−0.33')
    expect(showChange(0)).toBe('0')
  })
})

describe('score matrices', () => {
  it('have a header and rows', () => {
    const [matrix] = readMatrices([[['category', 'right'], ['bug', { value: 87.04, positive_metric: false }], [null, 'x']]])
    expect(matrix).toMatchObject({ title: null, header: ['category', 'right'] })
    expect(matrix?.rows[0]?.[1]).toEqual({ text: '87', number: 87.04, positive: false })
    expect(matrix?.rows[1]?.[0]?.text).toBe('')
  })
  it('have a title if the first row is longer', () => {
    expect(readMatrices([[['By category', 'name', 'right'], ['bug', 1]]])).toMatchObject([{ title: 'By category', header: ['name', 'right'] }])
  })
  it('are empty without data', () => {
    expect(readMatrices(null)).toEqual([])
    expect(readMatrices(['x', []])).toEqual([])
  })
})
