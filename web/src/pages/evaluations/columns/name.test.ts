import { expect, it } from 'vitest'
import { nameFor } from './name'

it('numbers names already in use', () => {
  expect(nameFor('Contains', [])).toBe('contains')
  expect(nameFor('Contains', ['contains', 'contains 2'])).toBe('contains 3')
})
