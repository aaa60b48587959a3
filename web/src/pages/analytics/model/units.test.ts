import { expect, it } from 'vitest'
import { formatOf } from './units'

it.each([
  ['currency', 0.5, '$0.500'], ['duration_seconds', 1.5, '1.50 s'], ['count', 12_345, '12.3K'], ['count', 2.345, '2.35'], ['tokens', 7, '7'],
  ['ratio', 0.001234, '0.0012'], ['ratio', 0, '0'], ['ratio', 3.14159, '3.14'], ['ratio', 123_456, '123.5K'], [undefined, 1.5, '1.5'],
])('formats %s %d as %s', (unit, value, text) => expect(formatOf(unit)(value)).toBe(text))
