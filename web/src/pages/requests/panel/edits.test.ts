import { expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { typedValue, valueText } = await import('./edits')

it('reads typed values and writes them again', () => {
  expect([typedValue('12'), typedValue('true'), typedValue('{"a":1}'), typedValue('12 apples'), typedValue('"12"'), typedValue('[x')]).toEqual([12, true, { a: 1 }, '12 apples', '12', '[x'])
  for (const value of [12, '12', true, 'true', null, 'plain', { a: [1] }, '"quoted"', '']) expect(typedValue(valueText(value))).toEqual(value)
})
