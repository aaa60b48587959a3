import { expect, it } from 'vitest'
import { inserted, moved, replaced, without } from './lists'

const list = ['a', 'b', 'c']

it.each([
  ['replaced', replaced(list, 1, 'x'), ['a', 'x', 'c']],
  ['replaced out of range', replaced(list, 5, 'x'), list],
  ['without', without(list, 0), ['b', 'c']],
  ['inserted first', inserted(list, 0, 'x'), ['x', 'a', 'b', 'c']],
  ['inserted last', inserted(list, 3, 'x'), ['a', 'b', 'c', 'x']],
  ['moved down', moved(list, 0, 1), ['b', 'a', 'c']],
  ['moved up', moved(list, 2, 0), ['c', 'a', 'b']],
  ['moved from out of range', moved(list, 9, 0), list],
])('%s', (_, result, expected) => {
  expect(result).toEqual(expected)
  expect(list).toEqual(['a', 'b', 'c'])
})
