import { describe, expect, it } from 'vitest'
import { zoomed, zoomedOut } from './zoom'

const [from, to] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-02T00:00:00Z')]

describe('zooming', () => {
  it.each([[{ q: 'a', range: '30d' }], [{ q: 'a' }], [{ q: 'a', from: '2025-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }], [{ q: 'a', from: '2025-01-01T00:00:00.000Z' }]])(
    'zooms out from %o after any number of zooms', (shown) => {
      const once = zoomed(shown, from, to)
      expect(once).toMatchObject({ q: 'a', from: '2026-01-01T00:00:00.000Z' })
      expect(JSON.parse(JSON.stringify(zoomedOut(zoomed(once, from + 1000, to - 1000))))).toEqual(shown)
    })
})
