import { expect, it } from 'vitest'
import { evenly, readSplit, splitForm, splitProblem, sumOf, weightsProblem } from './weights'

const weight = (version_number: number, share: number) => ({ version_number, weight: share })

it('checks the sum', () => {
  expect(weightsProblem([weight(1, 90), weight(2, 10)])).toBeNull()
  expect(weightsProblem([weight(1, 90)])).toContain('10% missing')
  expect(weightsProblem([weight(1, 90), weight(2, 20)])).toContain('10% too many')
  expect(weightsProblem([weight(1, 50), weight(1, 50)])).toContain('only once')
  expect(weightsProblem([])).toContain('Choose')
  expect(sumOf([weight(1, 33.3), weight(2, 33.3), weight(3, 33.4)])).toBe(100)
})

it('splits evenly', () => expect(evenly([weight(1, 0), weight(2, 0), weight(3, 0)]).map(({ weight: share }) => share)).toEqual([34, 33, 33]))

it('converts segments', () => {
  const stored = { weights: [weight(1, 100)], segments: [{ name: 'staff', match: { role: ['staff', 'admin'] }, weights: [weight(2, 100)] }] }
  const form = splitForm(stored)
  expect(form.segments[0]?.match).toEqual([{ key: 'role', values: 'staff, admin' }])
  expect(readSplit(form)).toEqual(stored)
  expect(splitProblem(form)).toBeNull()
  expect(splitProblem({ ...form, segments: [{ name: '', match: [{ key: 'role', values: ' ' }], weights: [] }] })).toBe('Segment 1: enter a key and its values.')
})
