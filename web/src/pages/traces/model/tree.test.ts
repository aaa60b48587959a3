import { describe, expect, it } from 'vitest'
import { buildTree, sumUp, type Tree, type TreeSpan } from './tree'

function span(id: string, parent: string | null = null, status = 'UNSET'): TreeSpan {
  return { span_id: id, parent_id: parent, status: { status_code: `StatusCode.${status}` } }
}

/** The tree as lines of indented ids. */
function drawn(spans: TreeSpan[], tree: Tree): string[] {
  return [...tree.order].map((index) => '  '.repeat(tree.depth[index] ?? 0) + spans[index]?.span_id)
}

describe('the tree of a trace', () => {
  it('puts children below their parents, in the order of the spans', () => {
    const spans = [span('a'), span('b', 'a'), span('c', 'b'), span('d', 'a'), span('e')]
    const tree = buildTree(spans)
    expect(drawn(spans, tree)).toEqual(['a', '  b', '    c', '  d', 'e'])
    expect([...tree.size]).toEqual([4, 2, 1, 1, 1])
    expect([...tree.position]).toEqual([1, 1, 1, 2, 2])
    expect([...tree.siblings]).toEqual([2, 2, 1, 2, 2])
    expect(tree.roots).toEqual([0, 4])
  })

  it('takes children that start before their parents', () => {
    const spans = [span('child', 'parent'), span('grandchild', 'child'), span('parent')]
    expect(drawn(spans, buildTree(spans))).toEqual(['parent', '  child', '    grandchild'])
  })

  it('makes spans with an unknown parent roots', () => {
    const spans = [span('a', 'missing'), span('b', 'a'), span('c', 'also missing')]
    expect(drawn(spans, buildTree(spans))).toEqual(['a', '  b', 'c'])
  })

  it('cuts cycles at their first span', () => {
    const spans = [span('own', 'own'), span('outside', 'y'), span('x', 'z'), span('y', 'x'), span('z', 'y')]
    expect(drawn(spans, buildTree(spans))).toEqual(['own', 'x', '  y', '    outside', '    z'])
  })

  it('counts errors up to the root', () => {
    const tree = buildTree([span('a'), span('b', 'a'), span('c', 'b', 'ERROR'), span('d', 'a'), span('e', 'd', 'ERROR')])
    expect([...tree.errors]).toEqual([2, 1, 1, 1, 1])
  })

  it('keeps every span once if ids repeat', () => {
    const tree = buildTree([span('a'), span('a'), span('b', 'a')])
    expect([...tree.order].sort()).toEqual([0, 1, 2])
    expect([...tree.parent]).toEqual([-1, -1, 0])
  })

  it('is empty without spans', () => expect(buildTree([]).roots).toEqual([]))

  it('holds 30,000 spans in one chain, one cycle or one level', () => {
    const count = 30_000
    const make = (parent: (index: number) => string | null) => buildTree(Array.from({ length: count }, (_, index) => span(String(index), parent(index))))
    const chain = make((index) => (index === 0 ? null : String(index - 1)))
    expect([chain.size[0], chain.depth[count - 1], chain.roots]).toEqual([count, count - 1, [0]])
    const cycle = make((index) => String((index + 1) % count))
    expect([cycle.size[0], cycle.roots, cycle.depth[1]]).toEqual([count, [0], count - 1])
    const flat = make((index) => (index === 0 ? null : '0'))
    expect([flat.size[0], flat.siblings[7], flat.position[count - 1]]).toEqual([count, count - 1, count - 1])
  })
})

describe('sums', () => {
  it('add up the values of subtrees, and are absent without any', () => {
    const tree = buildTree([span('a'), span('b', 'a'), span('c', 'b'), span('d', 'a')])
    const values = [undefined, 1, 2, undefined]
    expect(sumUp(tree, (index) => values[index])).toEqual([3, 3, 2, undefined])
  })
})
