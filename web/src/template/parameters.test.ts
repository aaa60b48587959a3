import { expect, it } from 'vitest'
import { parameterKind, readParameter } from './parameters'

it.each([
  ['temperature', 0.5, 'number'],
  ['temperature', '{warm}', 'text'],
  ['reasoning_effort', 'low', 'choice'],
  ['reasoning_effort', 'xhigh', 'text'],
  ['stop', ['a'], 'json'],
  ['unheard_of', true, 'flag'],
  ['unheard_of', null, 'json'],
])('edits %s of %j as %s', (name, value, kind) => expect(parameterKind(name, value)).toBe(kind))

it('parses typed values', () => {
  expect(readParameter('0.5')).toBe(0.5)
  expect(readParameter('true')).toBe(true)
  expect(readParameter('plain words')).toBe('plain words')
})
