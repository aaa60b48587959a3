import { drawLine, nodeWidth, type Layout, type PlacedBox, type Shape } from './shape'

const gap = 22
const rowGap = 70

/**
 * Lays out many boxes in linear time: in rows, each box below its dependencies and
 * roughly centred under them.
 */
export function layOutMany({ boxes, lines }: Shape): Layout {
  const needs = new Map(boxes.map(({ id }) => [id, [] as string[]]))
  for (const { source, target } of lines) needs.get(target)?.push(source)
  const rows = rowsOf(boxes, needs)
  const placed = new Map<string, PlacedBox>()
  let y = 16
  for (const row of rows) {
    const wish = (id: string) => {
      const above = (needs.get(id) ?? []).flatMap((needed) => placed.get(needed)?.x ?? [])
      return above.length === 0 ? 0 : above.reduce((sum, x) => sum + x, 0) / above.length
    }
    const wished = row.map((box) => ({ box, x: wish(box.id) })).toSorted((a, b) => a.x - b.x)
    const left = (-(wished.length - 1) * (nodeWidth + gap)) / 2
    wished.forEach(({ box }, index) => placed.set(box.id, { ...box, x: left + index * (nodeWidth + gap), y }))
    y += Math.max(...row.map(({ height }) => height)) + rowGap
  }
  return { boxes: [...placed.values()], lines: lines.map((line) => drawLine(line, placed, [], null)) }
}

/** The boxes by depth. Cycles are broken at some point. */
function rowsOf(boxes: Shape['boxes'], needs: Map<string, string[]>): Shape['boxes'][] {
  const depths = new Map<string, number>()
  for (const { id } of boxes) {
    const way = [id]
    for (let next = way.at(-1); next !== undefined; next = way.at(-1)) {
      const waiting = (needs.get(next) ?? []).find((needed) => !depths.has(needed) && !way.includes(needed))
      if (waiting !== undefined) {
        way.push(waiting)
      } else {
        depths.set(next, Math.max(-1, ...(needs.get(next) ?? []).map((needed) => depths.get(needed) ?? -1)) + 1)
        way.pop()
      }
    }
  }
  const rows: Shape['boxes'][] = []
  for (const box of boxes) (rows[depths.get(box.id) ?? 0] ??= []).push(box)
  return rows.filter((row) => row.length > 0)
}
