import { describe, expect, it } from 'vitest'
import { curlFor, endAfter, keyState, until } from './key-state'

const now = Date.parse('2026-01-10T00:00:00Z')

describe('keyState', () => {
  it.each([
    [null, null, 'active', true],
    ['2026-03-01T00:00:00Z', null, 'active', true],
    ['2026-01-12T00:00:00Z', null, 'expires soon', true],
    ['2026-01-10T00:00:00Z', null, 'expired', false],
    ['2026-03-01T00:00:00Z', '2026-01-02T00:00:00Z', 'revoked', false],
  ])('expires %s, revoked %s: %s', (expires_at, revoked_at, state, works) => {
    expect(keyState({ expires_at, revoked_at }, now)).toMatchObject({ state, works })
  })
})

describe('until', () => {
  it.each([
    ['2026-01-10T00:00:10Z', 'now'],
    ['2026-01-10T00:40:00Z', 'in 40 min'],
    ['2026-01-11T00:00:00Z', 'in 24 h'],
    ['2026-02-09T00:00:00Z', 'in 30 days'],
  ])('%s is %s', (at, words) => expect(until(at, now)).toBe(words))
})

describe('endAfter', () => {
  it('adds days', () => expect(endAfter(30, now)).toBe('2026-02-09T00:00:00.000Z'))
  it('returns undefined for keys that never expire', () => expect(endAfter(0, now)).toBeUndefined())
})

describe('curlFor', () => {
  it('logs a request if the key allows it', () => {
    const command = curlFor('http://h', 'pl_1', true, new Date(now))
    expect(command).toContain("http://h/log-request -H 'X-API-KEY: pl_1'")
    expect(command).toContain('"request_end_time": "2026-01-10T00:00:00.000Z"')
  })
  it('reads if the key is read-only', () => expect(curlFor('http://h', 'pl_1', false)).toBe("curl -sS http://h/prompt-templates -H 'X-API-KEY: pl_1'"))
})
