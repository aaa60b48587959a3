import { expect, test } from 'vitest'
import { questionOf } from './question'

test('the kind of answer follows from input_type, otherwise from data_type', () => {
  expect(questionOf({}).kind).toBe('text')
  expect(questionOf({ data_type: 'number' }).kind).toBe('number')
  expect(questionOf({ data_type: 'number', input_type: 'Thumbs' }).kind).toBe('thumbs')
})

test('limits are numbers or texts', () => {
  expect(questionOf({ min: 1, max: '5' })).toMatchObject({ min: 1, max: 5, range: 'From 1 to 5' })
  expect(questionOf({ min: 0 }).range).toBe('At least 0')
  expect(questionOf({ max: 9 }).range).toBe('At most 9')
  expect(questionOf({}).range).toBeUndefined()
})

test('lists have only texts', () => {
  expect(questionOf({ choices: ['good', 1, 'bad'], people: 'x' })).toMatchObject({ choices: ['good', 'bad'], people: [] })
})
