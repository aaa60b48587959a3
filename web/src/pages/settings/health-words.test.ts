import { describe, expect, it } from 'vitest'
import { backupState, diskState, span } from './health-words'

describe('diskState', () => {
  it.each([
    [60e9, 100e9, 'good'],
    [8e9, 100e9, 'warn'],
    [1.5e9, 10e9, 'warn'],
    [2e9, 100e9, 'bad'],
    [0, 100e9, 'bad'],
  ])('%d free of %d bytes is %s', (free_bytes, total_bytes, level) => expect(diskState({ free_bytes, total_bytes })?.level).toBe(level))
  it('returns null for an unreadable disk', () => expect(diskState({ free_bytes: null, total_bytes: null })).toBeNull())
})

describe('span', () => {
  it.each([[0.4, '0 s'], [59, '59 s'], [60, '1 min'], [3725, '1 h 2 min'], [90_000, '1 d 1 h'], [86_400 * 12 + 30, '12 d']])('%d s is %s', (seconds, words) => expect(span(seconds)).toBe(words))
})

describe('the last backup', () => {
  const now = Date.parse('2026-03-10T00:00:00Z')
  it('needs attention if it failed, found damage or is old', () => {
    expect(backupState({ outcome: 'complete', point_at: '2026-03-09T00:00:00Z' }, now)).toEqual({ tone: 'good', words: 'complete' })
    expect(backupState({ outcome: 'complete', point_at: '2026-03-01T00:00:00Z' }, now)).toEqual({ tone: 'warn', words: 'old' })
    expect(backupState({ outcome: 'damaged', point_at: '2026-03-09T00:00:00Z' }, now)).toEqual({ tone: 'warn', words: 'damaged' })
    expect(backupState({ outcome: 'failed', point_at: null }, now)).toEqual({ tone: 'bad', words: 'failed' })
  })
})
