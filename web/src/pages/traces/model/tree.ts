/** What the tree needs of a span. */
export interface TreeSpan {
  span_id: string
  parent_id: string | null
  status: { status_code: string }
}

/**
 * The spans of a trace as a tree. Spans are named by their index in the list.
 * A span whose parent has not arrived is a root, and so is the first span of a
 * cycle of parents.
 */
export interface Tree {
  /** The parent of each span, -1 for a root. */
  parent: Int32Array
  /** The level of each span; that of a root is 0. */
  depth: Int32Array
  /** All spans, parents before their children. */
  order: Int32Array
  /** The position of each span in the order. */
  place: Int32Array
  /** The number of spans in the subtree, with the span itself. */
  size: Int32Array
  /** The position among its siblings, from 1, and their number. */
  position: Int32Array
  siblings: Int32Array
  /** The number of failed spans in the subtree, with the span itself. */
  errors: Int32Array
  roots: number[]
  indexOf: Map<string, number>
}

const none = -1

/** Reads a cell of an array; the caller knows that it exists. */
export function at(array: Int32Array | Float64Array, index: number): number {
  return array[index] ?? none
}

/** A number for each span. Not Int32Array.from, which is slow because it iterates. */
function fill(spans: readonly TreeSpan[], number: (span: TreeSpan) => number): Int32Array {
  const numbers = new Int32Array(spans.length)
  spans.forEach((span, index) => { numbers[index] = number(span) })
  return numbers
}

export function failed(span: TreeSpan): boolean {
  return span.status.status_code === 'StatusCode.ERROR'
}

/** Builds the tree. The spans must be in the order of their start. */
export function buildTree(spans: readonly TreeSpan[]): Tree {
  const count = spans.length
  const indexOf = new Map<string, number>()
  // From the end, so that the first span with an id counts.
  for (let index = count - 1; index >= 0; index--) indexOf.set(spans[index]?.span_id ?? '', index)
  const parent = parentsOf(spans, indexOf)
  const { firstChild, nextSibling, siblings, position } = linksOf(parent)
  const tree: Tree = {
    parent, indexOf, position, roots: [],
    depth: new Int32Array(count), order: new Int32Array(count), place: new Int32Array(count), size: new Int32Array(count).fill(1),
    siblings, errors: fill(spans, (span) => (failed(span) ? 1 : 0)),
  }
  let filled = 0
  for (let index = at(firstChild, count); index !== none; index = following(index, tree, firstChild, nextSibling)) {
    const up = at(parent, index)
    if (up === none) tree.roots.push(index)
    tree.depth[index] = up === none ? 0 : at(tree.depth, up) + 1
    tree.place[index] = filled
    tree.order[filled++] = index
  }
  addUp(tree)
  return tree
}

/** The next span in the order: the first child, else the next sibling of the span or of an ancestor. */
function following(index: number, { parent }: Tree, firstChild: Int32Array, nextSibling: Int32Array): number {
  const child = at(firstChild, index)
  if (child !== none) return child
  for (let current = index; current !== none; current = at(parent, current)) {
    const next = at(nextSibling, current)
    if (next !== none) return next
  }
  return none
}

/** The known parents, with each cycle cut at the parent of its first span. */
function parentsOf(spans: readonly TreeSpan[], indexOf: Map<string, number>): Int32Array {
  const parent = fill(spans, ({ parent_id }) => (parent_id === null ? none : (indexOf.get(parent_id) ?? none)))
  // The walk that first reached each span, from 1.
  const walk = new Int32Array(spans.length)
  for (let start = 0; start < spans.length; start++) {
    let current = start
    while (current !== none && at(walk, current) === 0) {
      walk[current] = start + 1
      current = at(parent, current)
    }
    if (current !== none && at(walk, current) === start + 1) parent[firstOfCycle(parent, current)] = none
  }
  return parent
}

function firstOfCycle(parent: Int32Array, member: number): number {
  let first = member
  for (let current = at(parent, member); current !== member; current = at(parent, current)) first = Math.min(first, current)
  return first
}

/** The children of each span as linked lists, in the order of the spans. The roots are the children of one past the last. */
function linksOf(parent: Int32Array) {
  const count = parent.length
  const firstChild = new Int32Array(count + 1).fill(none)
  const nextSibling = new Int32Array(count).fill(none)
  const childCount = new Int32Array(count + 1)
  const position = new Int32Array(count)
  const owner = (index: number) => (at(parent, index) === none ? count : at(parent, index))
  for (let index = count - 1; index >= 0; index--) {
    nextSibling[index] = at(firstChild, owner(index))
    firstChild[owner(index)] = index
  }
  for (let index = 0; index < count; index++) {
    childCount[owner(index)] = at(childCount, owner(index)) + 1
    position[index] = at(childCount, owner(index))
  }
  const siblings = parent.map((_, index) => at(childCount, owner(index)))
  return { firstChild, nextSibling, siblings, position }
}

/** Adds the sizes and errors of children to their parents. */
function addUp({ order, parent, size, errors }: Tree): void {
  for (let position = order.length - 1; position >= 0; position--) {
    const index = at(order, position)
    const up = at(parent, index)
    if (up === none) continue
    size[up] = at(size, up) + at(size, index)
    errors[up] = at(errors, up) + at(errors, index)
  }
}

/** The sums of values over the subtrees. A subtree without any value has none. */
export function sumUp(tree: Tree, values: (index: number) => number | undefined): (number | undefined)[] {
  const sums = Array.from(tree.parent, (_, index) => values(index))
  for (let position = tree.order.length - 1; position >= 0; position--) {
    const index = at(tree.order, position)
    const up = at(tree.parent, index)
    const sum = sums[index]
    if (up !== none && sum !== undefined) sums[up] = (sums[up] ?? 0) + sum
  }
  return sums
}
