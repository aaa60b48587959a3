import dagre from '@dagrejs/dagre'
import { edgeText } from '../model/conditions'
import type { Definition, Node } from '../model/definition'
import { needsOf } from '../model/references'

export const nodeWidth = 196
export const nodeHeight = 56
/** The id of the box with the input variables; nodes have their names behind a letter. */
export const inputsId = 'inputs'
export const idOf = (name: string) => `n:${name}`

export interface PlacedNode {
  id: string
  /** Null for the box with the input variables. */
  node: Node | null
  x: number
  y: number
  height: number
}

export interface PlacedEdge {
  id: string
  source: string
  target: string
  /** The condition in words, empty where there is none. */
  label: string
  /** The way of the line around the nodes between its ends. */
  path: string
  labelAt: Point
}

export interface Point {
  x: number
  y: number
}

export interface Layout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
}

/** Places the nodes from the top down, each below what it needs. */
export function layOut(definition: Definition): Layout {
  const lines = connect(definition)
  const graph = new dagre.graphlib.Graph<object>({ multigraph: false })
  graph.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 40, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  const variables = Object.keys(definition.variables)
  const inputsHeight = 40 + Math.min(variables.length, 6) * 18
  if (variables.length > 0) graph.setNode(inputsId, { width: nodeWidth, height: inputsHeight })
  for (const node of definition.nodes) graph.setNode(idOf(node.name), { width: nodeWidth, height: nodeHeight })
  for (const { source, target, label } of lines) {
    graph.setEdge(source, target, label === '' ? {} : { width: Math.min(label.length, 26) * 6.5 + 16, height: 20, labelpos: 'c' })
  }
  dagre.layout(graph)
  const place = (id: string) => graph.node(id) as Box
  const placed = (id: string, node: Node | null): PlacedNode => {
    const { x, y, height } = place(id)
    return { id, node, x: x - nodeWidth / 2, y: y - height / 2, height }
  }
  const edges = lines.map((line): PlacedEdge => {
    const { points, x, y } = graph.edge(line.source, line.target) as { points: Point[]; x?: number; y?: number }
    const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 }
    return { ...line, path: smoothPath(fromBottomToTop(points, place(line.source), place(line.target))), labelAt: { x: x ?? middle.x, y: y ?? middle.y } }
  })
  const nodes = definition.nodes.map((node) => placed(idOf(node.name), node))
  return { nodes: variables.length > 0 ? [placed(inputsId, null), ...nodes] : nodes, edges }
}

interface Connection {
  id: string
  source: string
  target: string
  label: string
}

/** The lines of the drawing: one from whatever a node needs. The input variables are one box. */
function connect(definition: Definition): Connection[] {
  const names = new Set(definition.nodes.map((node) => node.name))
  const lines = new Map<string, Connection>()
  const conditions = new Map(definition.edges.map((edge) => [`${idOf(edge.source_node_name)}→${idOf(edge.target_node_name)}`, edge]))
  for (const node of definition.nodes) {
    for (const needed of needsOf(node)) {
      const isVariable = !names.has(needed)
      if ((isVariable && !(needed in definition.variables)) || needed === node.name) continue
      const source = isVariable ? inputsId : idOf(needed)
      const target = idOf(node.name)
      const id = `${source}→${target}`
      const edge = conditions.get(id)
      lines.set(id, { id, source, target, label: edge === undefined ? '' : edgeText(edge) })
    }
  }
  return [...lines.values()]
}

/** A box by its middle. */
interface Box extends Point {
  height: number
}

/** Lets a line leave a box at its bottom and reach the next at its top, never at a side. */
function fromBottomToTop(points: Point[], source: Box, target: Box): Point[] {
  const near = (x: number, box: Box) => Math.min(Math.max(x, box.x - nodeWidth * 0.38), box.x + nodeWidth * 0.38)
  const inner = points.slice(1, -1)
  const start = { x: near(inner[0]?.x ?? source.x, source), y: source.y + source.height / 2 }
  const end = { x: near(inner.at(-1)?.x ?? target.x, target), y: target.y - target.height / 2 }
  return [start, ...inner, end]
}

/** A curve that starts at the first point, bends towards those between and ends at the last. */
export function smoothPath(points: Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  let path = `M${round(first)}`
  rest.slice(0, -1).forEach((point, index) => {
    const next = rest[index + 1] ?? last
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    path += ` Q${round(point)} ${round(end)}`
  })
  return rest.length === 1 ? `${path} L${round(last)}` : path
}

function round({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`
}
