import { expect, it } from 'vitest'
import { moveTo } from './order'

const list = ['a', 'b', 'c'].map((id) => ({ id }))
const ids = (moved: { id: string }[]) => moved.map(({ id }) => id).join('')

it.each([['a', 2, 'bca'], ['c', 0, 'cab'], ['b', 1, 'abc'], ['a', 1, 'bac'], ['x', 0, 'abc'], ['a', 3, 'abc'], ['a', -1, 'abc']])(
  'moves %s to %d', (id, place, result) => expect(ids(moveTo(list, id, place))).toBe(result))
