import { describe, expect, it } from 'vitest'
import { findSpans, nextMatch, textOf } from './find'
import { buildTree } from './tree'

function span(id: string, parent: string | null, name: string, more: { attributes?: Record<string, unknown>; events?: Record<string, unknown>[]; error?: string } = {}) {
  return { span_id: id, parent_id: parent, name, status: { status_code: 'StatusCode.OK', description: more.error ?? null }, attributes: more.attributes ?? {}, events: more.events ?? [] }
}

const spans = [
  span('1', null, 'Agent'),
  span('2', '1', 'search tool', { attributes: { 'tool.name': 'search', input: { query: ['Flour', 12] } } }),
  span('3', '1', 'chat', { error: 'Rate limit reached' }),
  span('4', '2', 'http', { events: [{ name: 'exception', attributes: { 'exception.type': 'TimeoutError' } }] }),
]
const tree = buildTree(spans)
const textsOf = (all: typeof spans) => new Map(all.map((one) => [one.span_id, textOf(one)]))
const texts = textsOf(spans)

describe('search in a trace', () => {
  it.each([
    ['agent', [0]], ['SEARCH', [1]], ['flour', [1]], ['tool.name', [1]], ['12', [1]], ['rate limit', [2]], ['timeouterror', [3]],
    ['search chat', []], ['  ', []], ['', []],
  ])('finds %j', (query, found) => expect(findSpans(spans, tree, texts, query)).toEqual(found))

  it('lists matches from top to bottom of the tree', () => expect(findSpans(spans, tree, texts, 't')).toEqual([0, 1, 3, 2]))

  it('knows the name and the id of spans without a text', () => {
    const found = (query: string) => findSpans(spans, tree, textsOf(spans.slice(0, 1)), query)
    expect([found('chat'), found('3'), found('flour'), found('agent')]).toEqual([[2], [2], [], [0]])
  })

  it('reads attributes that are deep or refer to nothing', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 5000; level++) deep = [deep]
    const odd = [span('1', null, 'x', { attributes: { deep, none: null } })]
    expect(findSpans(odd, buildTree(odd), textsOf(odd), 'bottom null')).toEqual([0])
  })
})

describe('moving between matches', () => {
  it('goes down and up, and starts again at the other end', () => {
    const matches = [1, 3]
    expect(nextMatch(matches, tree, -1, 1)).toBe(1)
    expect(nextMatch(matches, tree, 1, 1)).toBe(3)
    expect(nextMatch(matches, tree, 2, 1)).toBe(1)
    expect(nextMatch(matches, tree, 2, -1)).toBe(3)
    expect(nextMatch(matches, tree, 1, -1)).toBe(3)
    expect(nextMatch([], tree, 0, 1)).toBeUndefined()
  })
})
