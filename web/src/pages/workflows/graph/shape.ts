import { edgeText } from '../model/conditions'
import type { Definition } from '../model/definition'
import { needsOf } from '../model/references'

export const nodeWidth = 196
export const nodeHeight = 56
/** The id of the box with the input variables. The ids of nodes have a prefix. */
export const inputsId = 'inputs'
export const idOf = (name: string) => `n:${name}`

export interface Point {
  x: number
  y: number
}

/** What the layout depends on, including only the texts of conditions. */
export interface Shape {
  boxes: { id: string; height: number }[]
  lines: { id: string; source: string; target: string; label: string }[]
}

export interface PlacedBox extends Point {
  id: string
  height: number
}

export interface PlacedLine {
  id: string
  source: string
  target: string
  /** The condition as text, or empty. */
  label: string
  /** The SVG path of the line around the boxes. */
  path: string
  labelAt: Point
}

export interface Layout {
  boxes: PlacedBox[]
  lines: PlacedLine[]
}

/** The boxes and lines of a definition: a line for each dependency. The input variables are one box. */
export function shapeOf(definition: Definition): Shape {
  const variables = Object.keys(definition.variables)
  const boxes = definition.nodes.map(({ name }) => ({ id: idOf(name), height: nodeHeight }))
  if (variables.length > 0) boxes.unshift({ id: inputsId, height: 40 + Math.min(variables.length, 6) * 18 })
  const known = new Set(boxes.map(({ id }) => id))
  const conditions = new Map(definition.edges.map((edge) => [`${idOf(edge.source_node_name)}→${idOf(edge.target_node_name)}`, edge]))
  const lines = new Map<string, Shape['lines'][number]>()
  for (const node of definition.nodes) {
    const target = idOf(node.name)
    for (const needed of needsOf(node)) {
      const source = known.has(idOf(needed)) ? idOf(needed) : needed in definition.variables ? inputsId : null
      if (source === null || source === target) continue
      const id = `${source}→${target}`
      const edge = conditions.get(id)
      lines.set(id, { id, source, target, label: edge === undefined ? '' : edgeText(edge) })
    }
  }
  return { boxes, lines: [...lines.values()] }
}

/** Draws a line from the bottom of a box to the top of the next. */
export function drawLine(line: Shape['lines'][number], boxes: Map<string, PlacedBox>, between: Point[], labelAt: Point | null): PlacedLine {
  const source = boxes.get(line.source) ?? { x: 0, y: 0, height: 0 }
  const target = boxes.get(line.target) ?? { x: 0, y: 0, height: 0 }
  const near = (x: number, box: Point) => Math.min(Math.max(x, box.x + nodeWidth * 0.12), box.x + nodeWidth * 0.88)
  const start = { x: near(between[0]?.x ?? target.x + nodeWidth / 2, source), y: source.y + source.height }
  const end = { x: near(between.at(-1)?.x ?? source.x + nodeWidth / 2, target), y: target.y }
  return { ...line, path: smoothPath([start, ...between, end]), labelAt: labelAt ?? { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 } }
}

/** A curve from the first to the last point that bends towards those between them. */
export function smoothPath(points: Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  if (rest.length === 1) return `M${round(first)} L${round(last)}`
  return rest.slice(0, -1).reduce((path, point, index) => {
    const next = rest[index + 1] ?? last
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `${path} Q${round(point)} ${round(end)}`
  }, `M${round(first)}`)
}

function round({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`
}
