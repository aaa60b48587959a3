import dagre from '@dagrejs/dagre'
import { layOutMany } from './layout-many'
import { drawLine, nodeWidth, type Layout, type PlacedBox, type Point, type Shape } from './shape'

// With more boxes, dagre takes seconds.
const mostForCare = 120

/** Lays out the boxes from top to bottom, each below its dependencies. */
export function layOut(shape: Shape): Layout {
  return shape.boxes.length > mostForCare ? layOutMany(shape) : layOutWithCare(shape)
}

function layOutWithCare({ boxes, lines }: Shape): Layout {
  const graph = new dagre.graphlib.Graph<object>({ multigraph: false })
  graph.setGraph({ rankdir: 'TB', nodesep: 22, ranksep: 40, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, height } of boxes) graph.setNode(id, { width: nodeWidth, height })
  for (const { source, target, label } of lines) {
    graph.setEdge(source, target, label === '' ? {} : { width: Math.min(label.length, 26) * 6.5 + 16, height: 20, labelpos: 'c' })
  }
  dagre.layout(graph)
  const middle = (id: string) => graph.node(id) as Point
  const placed = boxes.map((box): PlacedBox => ({ ...box, x: middle(box.id).x - nodeWidth / 2, y: middle(box.id).y - box.height / 2 }))
  const byId = new Map(placed.map((box) => [box.id, box]))
  return {
    boxes: placed,
    lines: lines.map((line) => {
      const { points, x, y } = graph.edge(line.source, line.target) as { points: Point[]; x?: number; y?: number }
      return drawLine(line, byId, points.slice(1, -1), x === undefined || y === undefined ? null : { x, y })
    }),
  }
}
