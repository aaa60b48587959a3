import { expect, it } from 'vitest'
import { livePause } from './live'

it('doubles the wait after each failure, up to a limit', () => {
  expect([0, 1, 2, 3, 4, 5, 1000].map(livePause)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})
