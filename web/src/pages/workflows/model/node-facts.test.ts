import { expect, it } from 'vitest'
import { factsOf, type RunSpan } from './node-facts'

const span = (span_id: string, parent_id: string | null, name: string, seconds: number, request_log_id: number | null = null): RunSpan =>
  ({ span_id, parent_id, name, start: '2026-03-10T08:00:00Z', end: `2026-03-10T08:00:0${seconds}Z`, request_log_id })
const spans = [
  span('r', null, 'Workflow Run', 9), span('a', 'r', 'words: prompt_template', 3, 7), span('b', 'a', 'call 2', 1, 8), span('c', 'r', 'count: count', 0),
  // A workflow that ran in a node has nodes of its own.
  span('d', 'c', 'Workflow Run', 2), span('e', 'd', 'inner: prompt_template', 2, 9),
]

it('adds up the requests of a node', () => {
  expect(factsOf(spans, { 7: 0.5, 8: 0.25, 9: 4 }, { name: 'words', node_type: 'PROMPT_TEMPLATE' })).toEqual({ time: 3000, requests: [7, 8], cost: 0.75 })
  expect(factsOf(spans, { 9: 4 }, { name: 'count', node_type: 'COUNT' })).toEqual({ time: 0, requests: [9], cost: 4 })
})

it('has no facts of a node that did not run', () => {
  expect(factsOf(spans, {}, { name: 'inner', node_type: 'PROMPT_TEMPLATE' })).toBeNull()
  expect(factsOf([], {}, { name: 'words', node_type: 'PROMPT_TEMPLATE' })).toBeNull()
})
