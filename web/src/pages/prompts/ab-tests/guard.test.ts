import { expect, test } from 'vitest'
import { guardForm, guardProblem, guardWords, readGuard } from './guard'

const guard = { max_error_rate_increase: 0.02, max_cost_increase: 0.2, max_latency_increase: 1.5, max_score_drop: 5, score_name: 'tone' }

test('a form shows percentages and gives the same guard back', () => {
  expect(guardForm(guard)).toEqual({ errors: '2', cost: '20', latency: '150', score: '5', scoreName: 'tone' })
  expect(readGuard(guardForm(guard))).toEqual(guard)
})

test('a form without bounds removes the guard', () => {
  expect(JSON.stringify(readGuard(guardForm(null)))).toBe('{}')
  expect(guardWords(null)).toEqual([])
})

test('a score without a name is the default one', () => {
  expect(readGuard({ ...guardForm(null), score: '0' })).toMatchObject({ max_score_drop: 0, score_name: 'default' })
})

test('numbers outside of their range are a problem', () => {
  const form = guardForm(guard)
  expect(guardProblem(form)).toBeNull()
  expect(guardProblem({ ...form, errors: '101' })).toMatch('from 0 to 100')
  expect(guardProblem({ ...form, latency: 'x' })).toMatch('0 and more')
})

test('a guard is described', () => {
  expect(guardWords(guard)[1]).toBe('its cost is more than 20% higher')
})
