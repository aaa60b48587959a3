import { describe, expect, it } from 'vitest'
import { allCollapsed, moveFor, revealed, toggled, visibleFor, visibleRows, type View } from './rows'
import { buildTree } from './tree'

const parents: Record<string, string | null> = { a: null, b: 'a', c: 'b', d: 'a', e: null }
const ids = Object.keys(parents)
const tree = buildTree(ids.map((id) => ({ span_id: id, parent_id: parents[id] ?? null, status: { status_code: 'StatusCode.OK' } })))

function view(...hidden: string[]): View {
  const collapsed = new Set(hidden)
  return { tree, ids, collapsed, rows: visibleRows(tree, ids, collapsed) }
}

const shown = (...hidden: string[]) => view(...hidden).rows.map((index) => ids[index]).join('')

/** The selected or collapsed ids after a key on a span. */
function press(key: string, id: string, ...hidden: string[]): string | null {
  const move = moveFor(key, ids.indexOf(id), view(...hidden), 2)
  if (move === null) return null
  return 'select' in move ? (ids[move.select] ?? '') : `collapsed ${[...move.collapsed].join('')}`
}

describe('visible spans', () => {
  it('leave out what is below collapsed ones', () => {
    expect(shown()).toBe('abcde')
    expect(shown('b')).toBe('abde')
    expect(shown('a')).toBe('ae')
    expect(shown('a', 'b', 'unknown')).toBe('ae')
  })

  it('hide everything below the children of roots when all are collapsed', () => {
    expect([...allCollapsed(tree, ids)]).toEqual(['b'])
  })

  it('include a span whose ancestors are expanded', () => {
    expect([...revealed(view('a', 'b', 'd'), 2)]).toEqual(['d'])
    const { collapsed } = view('b')
    expect(revealed({ tree, ids, collapsed }, 3)).toBe(collapsed)
  })

  it('stand in for those that they hide', () => {
    expect([visibleFor(view(), 2), visibleFor(view('b'), 2), visibleFor(view('a', 'b'), 2), visibleFor(view('b'), 1)]).toEqual([2, 1, 0, 1])
  })

  it('come back when toggled twice', () => {
    expect([...toggled(toggled(new Set(['a']), 'b'), 'b')]).toEqual(['a'])
  })
})

describe('keys', () => {
  it.each([
    ['ArrowDown', 'a', 'b'], ['ArrowUp', 'b', 'a'], ['ArrowUp', 'a', null], ['ArrowDown', 'e', null], ['j', 'c', 'd'], ['k', 'd', 'c'],
    ['Home', 'd', 'a'], ['End', 'b', 'e'], ['PageDown', 'a', 'c'], ['PageUp', 'e', 'c'], ['x', 'a', null],
    ['ArrowRight', 'a', 'b'], ['ArrowRight', 'c', null], ['ArrowLeft', 'b', 'collapsed b'], ['ArrowLeft', 'c', 'b'], ['ArrowLeft', 'e', null],
  ])('%s on %s: %s', (key, id, result) => expect(press(key, id)).toBe(result))

  it('expand collapsed spans before moving into them', () => {
    expect(press('ArrowRight', 'b', 'b')).toBe('collapsed ')
    expect(press('ArrowLeft', 'b', 'b')).toBe('a')
    expect(press('ArrowDown', 'b', 'b')).toBe('d')
  })

  it('start at the top without a visible selection', () => {
    expect(moveFor('ArrowDown', -1, view(), 2)).toEqual({ select: 0 })
    expect(moveFor('ArrowLeft', 2, view('a'), 2)).toBeNull()
  })
})
