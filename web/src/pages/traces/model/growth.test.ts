import { expect, it } from 'vitest'
import { pollDelay } from './growth'

const now = Date.parse('2026-01-01T12:00:00Z')
const ended = (minutes: number, closed = false) => ({ closed, end_time: new Date(now - minutes * 60_000).toISOString() })

it.each([
  [ended(0), 2000], [ended(-60), 2000], [ended(5), 10_000], [ended(30), false], [ended(0, true), false], [null, false], [undefined, false],
])('%j: %s', (trace, delay) => expect(pollDelay(trace, now)).toBe(delay))
