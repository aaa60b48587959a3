import { at, type Tree } from './tree'

/** The ids of the spans whose children are hidden. Ids stay the same while a trace grows. */
export type Collapsed = ReadonlySet<string>

/** What moving in the tree needs to know. */
export interface View {
  tree: Tree
  ids: readonly string[]
  collapsed: Collapsed
  /** The visible spans from top to bottom. */
  rows: readonly number[]
}

/** The visible spans: all except those below a collapsed one. */
export function visibleRows(tree: Tree, ids: readonly string[], collapsed: Collapsed): number[] {
  const rows: number[] = []
  for (let position = 0; position < tree.order.length;) {
    const index = at(tree.order, position)
    rows.push(index)
    position += collapsed.has(ids[index] ?? '') ? at(tree.size, index) : 1
  }
  return rows
}

export function isParent(tree: Tree, index: number): boolean {
  return at(tree.size, index) > 1
}

/** The collapsed spans after collapsing or expanding one. */
export function toggled(collapsed: Collapsed, id: string): Collapsed {
  const next = new Set(collapsed)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The collapsed spans after expanding all ancestors of a span; the same set if they are expanded. */
export function revealed({ tree, ids, collapsed }: Pick<View, 'tree' | 'ids' | 'collapsed'>, index: number): Collapsed {
  const next = new Set(collapsed)
  for (let up = at(tree.parent, index); up >= 0; up = at(tree.parent, up)) next.delete(ids[up] ?? '')
  return next.size === collapsed.size ? collapsed : next
}

/** The span itself if it is visible, else the collapsed one that hides it. */
export function visibleFor({ tree, ids, collapsed }: Pick<View, 'tree' | 'ids' | 'collapsed'>, index: number): number {
  let visible = index
  for (let up = at(tree.parent, index); up >= 0; up = at(tree.parent, up)) if (collapsed.has(ids[up] ?? '')) visible = up
  return visible
}

/** All spans with children except the roots, for collapsing everything. */
export function allCollapsed(tree: Tree, ids: readonly string[]): Collapsed {
  return new Set(ids.filter((_, index) => isParent(tree, index) && at(tree.parent, index) >= 0))
}

/** What a key does: selects another span, or changes which ones are collapsed. */
export type Move = { select: number } | { collapsed: Collapsed } | null

/**
 * What a key of a tree does. Right expands a span, then goes to its first child;
 * left collapses it, then goes to its parent.
 */
export function moveFor(key: string, current: number, view: View, page: number): Move {
  const { tree, ids, collapsed, rows } = view
  const row = rows.indexOf(current)
  const to = (target: number): Move => {
    const index = rows[Math.max(0, Math.min(rows.length - 1, target))]
    return index === undefined || index === current ? null : { select: index }
  }
  const id = ids[current] ?? ''
  const open = row >= 0 && isParent(tree, current) && !collapsed.has(id)
  switch (key) {
    case 'ArrowDown': case 'j': return to(row + 1)
    case 'ArrowUp': case 'k': return to(row - 1)
    case 'PageDown': return to(row + page)
    case 'PageUp': return to(row - page)
    case 'Home': return to(0)
    case 'End': return to(rows.length - 1)
    case 'ArrowRight':
      if (open) return to(row + 1)
      return row >= 0 && collapsed.has(id) ? { collapsed: toggled(collapsed, id) } : null
    case 'ArrowLeft':
      if (open) return { collapsed: toggled(collapsed, id) }
      return row >= 0 && at(tree.parent, current) >= 0 ? { select: at(tree.parent, current) } : null
    default: return null
  }
}
