import { expect, it } from 'vitest'
import { showSpent, showVersions } from './usage-text'

it('shows cost and latency', () => {
  expect(showSpent({ requests: 0, cost: null, latency_ms: null })).toBe('')
  expect(showSpent({ requests: 2, cost: 0.5, latency_ms: 1500 })).toBe('$0.500 · 1.50 s')
  expect(showSpent({ requests: 2, cost: null, latency_ms: 1500 })).toBe('cost unknown · 1.50 s')
})

it('shows versions', () => {
  const used = (prompt_id: number, version: number) => ({ prompt_id, version })
  expect(showVersions([], [])).toBe('')
  expect(showVersions([used(7, 3), used(7, 2)], [])).toBe('v3, v2')
  expect(showVersions([used(7, 3), used(8, 2)], [])).toBe('prompt 7 v3, prompt 8 v2')
  expect(showVersions([1, 2, 3, 4, 5].map((version) => used(7, version)), [])).toBe('v1, v2, v3 and 2 more')
  expect(showVersions([], [{ workflow_id: 9, version: 4 }])).toBe('v4')
  expect(showVersions([used(7, 3)], [{ workflow_id: 9, version: 4 }])).toBe('workflow 9 v4, prompt 7 v3')
})
