import { expect, it } from 'vitest'
import { cutAtMarks, marksOf } from './marks'

it('highlights the terms of a query', () => {
  expect(marksOf('model:gpt-4o -spam')).toBeNull()
  expect(marksOf('model:(')).toBeNull()
  expect(cutAtMarks('A Refund, no prefund', marksOf('refund'))).toEqual(['A ', 'Refund', ', no prefund'])
  expect(cutAtMarks('a (b) c', marksOf('"(b)" output:c'))).toEqual(['a ', '(b)', ' ', 'c', ''])
  expect(cutAtMarks('plain', null)).toEqual(['plain'])
})
