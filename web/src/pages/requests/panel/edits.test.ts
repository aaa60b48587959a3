import { expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { readScore, typedValue, valueText } = await import('./edits')

it('parses typed values and formats them again', () => {
  expect([typedValue('12'), typedValue('true'), typedValue('{"a":1}'), typedValue('12 apples'), typedValue('"12"'), typedValue('[x')]).toEqual([12, true, { a: 1 }, '12 apples', '12', '[x'])
  for (const value of [12, '12', true, 'true', null, 'plain', { a: [1] }, '"quoted"', '']) expect(typedValue(valueText(value))).toEqual(value)
})

it('accepts integers from 0 to 100 as scores', () => {
  expect(['0', '7', ' 80 ', '100'].map(readScore)).toEqual([0, 7, 80, 100])
  expect(['', ' ', '101', '177', '-1', '1.5', '1e1', '0x1', 'ten'].map(readScore)).toEqual(Array(9).fill(null))
})
