import { expect, it } from 'vitest'
import { usersOf } from './users'

it('finds the columns that use another', () => {
  const columns = [
    { id: 1, name: 'answer', configuration: {} },
    { id: 2, name: 'check', configuration: { sources: ['answer', 'x'] } },
    { id: 3, name: 'ask', configuration: { mappings: { question: 'answer' } } },
    { id: 4, name: 'other', configuration: { source: 'answers' } },
  ]
  expect(usersOf({ id: 1, name: 'answer' }, columns)).toEqual(['check', 'ask'])
})
