import { expect, it } from 'vitest'
import { colourPlaces } from './colour-places'

it('keeps the colour of a name when the order changes', () => {
  expect(colourPlaces('engine', ['a', 'b'])).toEqual([0, 1])
  expect(colourPlaces('engine', ['c', 'b', 'a'])).toEqual([2, 1, 0])
})

it('starts over for a different group', () => expect(colourPlaces('tags', ['b'])).toEqual([0]))

it('uses each colour once per chart while possible', () => {
  const many = Array.from({ length: 20 }, (_, index) => `m${index}`)
  colourPlaces('many', many)
  expect(new Set(colourPlaces('many', ['m0', 'm16', 'm17'])).size).toBe(3)
})

it('reserves grey for remainders', () => {
  const many = Array.from({ length: 20 }, (_, index) => `g${index}`)
  expect(colourPlaces('greys', many).filter((place) => place % 8 === 7)).toEqual([])
})
