/** A group of a hierarchy with its children, largest first. */
export interface Branch {
  name: string
  path: string[]
  value: number
  branches: Branch[]
}

/** Builds a tree from the leaves. The value of a branch is the sum of its children. */
export function growTree(leaves: { path: string[]; value: number }[], above: string[] = []): Branch[] {
  const level = above.length
  const names = [...new Set(leaves.map(({ path }) => path[level]).filter((name) => name !== undefined))]
  return names
    .map((name): Branch => {
      const below = leaves.filter(({ path }) => path[level] === name)
      const path = [...above, name]
      return { name, path, value: below.reduce((sum, { value }) => sum + value, 0), branches: growTree(below, path) }
    })
    .sort((a, b) => b.value - a.value)
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Splits a box into areas proportional to the descending values, as square as possible. */
export function squarify(values: number[], box: Box): Box[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => ({ ...box, width: 0, height: 0 }))
  const scale = (box.width * box.height) / total
  const areas = values.map((value) => value * scale)
  const pieces: Box[] = []
  let left = box
  let at = 0
  while (at < areas.length) {
    const side = Math.min(left.width, left.height)
    let end = at + 1
    // A row takes one more piece as long as that improves its worst aspect ratio.
    while (end < areas.length && worst(areas.slice(at, end + 1), side) <= worst(areas.slice(at, end), side)) end++
    const row = areas.slice(at, end)
    left = layRow(row, left, pieces)
    at = end
  }
  return pieces
}

function worst(row: number[], side: number): number {
  const sum = row.reduce((all, area) => all + area, 0)
  if (sum === 0 || side === 0) return Infinity
  return Math.max(...row.map((area) => (area === 0 ? Infinity : Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area)))))
}

/** Lays a row along the shorter side and returns the rest of the box. */
function layRow(row: number[], box: Box, pieces: Box[]): Box {
  const sum = row.reduce((all, area) => all + area, 0)
  const upright = box.width >= box.height
  const side = upright ? box.height : box.width
  const depth = side === 0 ? 0 : sum / side
  let offset = 0
  for (const area of row) {
    const length = depth === 0 ? 0 : area / depth
    pieces.push(upright ? { x: box.x, y: box.y + offset, width: depth, height: length } : { x: box.x + offset, y: box.y, width: length, height: depth })
    offset += length
  }
  return upright ? { ...box, x: box.x + depth, width: box.width - depth } : { ...box, y: box.y + depth, height: box.height - depth }
}
