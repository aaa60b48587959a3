import { describe, expect, it } from 'vitest'
import { ago, bytes, compact, duration, instant, money, percent } from './format'

describe('format', () => {
  it.each([
    [0, '$0'], [0.00042, '$0.00042'], [0.0213, '$0.021'], [3.456, '$3.46'], [12345, '$12.3K'],
  ])('formats %d dollars as %s', (dollars, text) => expect(money(dollars)).toBe(text))

  it.each([[0.4, '0 ms'], [12.4, '12 ms'], [1234, '1.23 s'], [45_600, '45.6 s'], [61_000, '1 min 1 s'], [3_720_000, '1 h 2 min']])(
    'formats %d ms as %s', (ms, text) => expect(duration(ms)).toBe(text))

  it.each([[999, '999 B'], [1000, '1.0 KB'], [25_300_000, '25.3 MB'], [512_000_000, '512 MB']])('formats %d bytes as %s', (n, text) => expect(bytes(n)).toBe(text))

  it.each([[9_999, '9,999'], [12_345, '12.3K'], [1_000_000, '1M']])('shortens %d to %s', (n, text) => expect(compact(n)).toBe(text))

  it.each([[0, '0%'], [0.0001, '<0.1%'], [0.051, '5.1%'], [0.5, '50%'], [1, '100%']])('formats the share %d as %s', (n, text) => expect(percent(n)).toBe(text))

  it('reads times without a zone as UTC', () => {
    expect(instant('2026-01-02T03:04:05').toISOString()).toBe('2026-01-02T03:04:05.000Z')
    expect(instant('2026-01-02T03:04:05+02:00').toISOString()).toBe('2026-01-02T01:04:05.000Z')
  })

  it('formats relative times', () => {
    const now = Date.parse('2026-01-02T00:00:00Z')
    expect(ago('2026-01-01T23:59:58Z', now)).toBe('now')
    expect(ago('2026-01-01T23:30:00Z', now)).toBe('30 min ago')
    expect(ago('2025-12-25T00:00:00Z', now)).toBe('8 d ago')
  })
})
