import { idOf, inputsId, nodeHeight, nodeWidth, shapeOf, type Layout, type Shape } from './shape'
import '@xyflow/react/dist/style.css'
import './graph.css'
import { Background, Controls, MarkerType, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import type { NodeStatus, Results } from '../data'
import type { Definition } from '../model/definition'
import type { Problem } from '../model/problems'
import { Line, type LineEdge } from './edge'
import { layOut } from './layout'
import { InputsBox, StepBox, type InputsNode, type StepNode } from './node'

const nodeTypes = { step: StepBox, inputs: InputsBox }
const edgeTypes = { line: Line }
// With more nodes, only visible ones are rendered, and the initial zoom stays readable.
const manyNodes = 150

export interface GraphProps {
  definition: Definition
  /** The results of the nodes in the shown run. */
  results: Results | null
  problems: Problem[]
  /** The nodes with unsaved changes. */
  marks: Map<string, 'added' | 'changed'>
  openNode: string | null
  inputsOpen: boolean
  onOpen: (node: string) => void
  onOpenInputs: () => void
}

/** The graph of a workflow. The list of nodes is its accessible alternative. */
export default function Graph(props: GraphProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

const miniColours: Partial<Record<NodeStatus, string>> = { SUCCESS: 'var(--good)', FAILED: 'var(--bad)', RUNNING: 'var(--info)' }

function Drawing(props: GraphProps) {
  const { definition, results } = props
  // Layout takes a moment, so redo it only when the shape changes, not the texts.
  const shape = JSON.stringify(shapeOf(definition))
  const layout = useMemo(() => layOut(JSON.parse(shape) as Shape), [shape])
  const { fitView } = useReactFlow()
  const moved = useRef(false)
  const isLarge = layout.boxes.length > manyNodes
  const fitOptions = useMemo(() => ({ padding: 0.08, maxZoom: 1, minZoom: isLarge ? 0.5 : 0.1 }), [isLarge])
  // Fit the view when something was added or removed.
  const parts = layout.boxes.map(({ id }) => id).join('\n') + layout.lines.length
  useEffect(() => {
    moved.current = false
    const timer = setTimeout(() => void fitView({ ...fitOptions, duration: 150 }), 30)
    return () => clearTimeout(timer)
  }, [parts, fitView, fitOptions])
  // Fit the view to a new width only if the user has not moved it.
  const width = useStore((state) => state.width)
  useEffect(() => {
    if (moved.current || width === 0) return
    const timer = setTimeout(() => void fitView(fitOptions), 60)
    return () => clearTimeout(timer)
  }, [width, fitView, fitOptions])
  useKeepInSight(layout, props.openNode)
  return (
    <ReactFlow<StepNode | InputsNode, LineEdge>
      className="workflow-graph"
      nodes={flowNodes(layout.boxes, props)}
      edges={flowEdges(layout.lines, props)}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      fitView
      fitViewOptions={fitOptions}
      onlyRenderVisibleElements={isLarge}
      minZoom={0.05}
      maxZoom={2}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      onMove={(event) => {
        if (event !== null) moved.current = true
      }}
      deleteKeyCode={null}
      selectionKeyCode={null}
      aria-label="Workflow graph"
      proOptions={{ hideAttribution: false }}
    >
      <Background gap={18} />
      <Controls showInteractive={false} fitViewOptions={fitOptions} />
      <MiniMap pannable zoomable className="max-md:hidden" ariaLabel="Overview" nodeColor={({ id }) => miniColours[results?.[id.slice(2)]?.status ?? 'QUEUED'] ?? 'var(--line-strong)'} style={{ width: 140, height: 96 }} />
    </ReactFlow>
  )
}

/** Moves the view when the open node is not visible, for example behind the panel that opened with it. */
function useKeepInSight(layout: Layout, openNode: string | null) {
  const { getViewport, setCenter } = useReactFlow()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const place = openNode === null ? undefined : layout.boxes.find(({ id }) => id === idOf(openNode))
  const x = place?.x
  const y = place?.y
  useEffect(() => {
    if (x === undefined || y === undefined || width === 0) return
    const timer = setTimeout(() => {
      const { x: left, y: top, zoom } = getViewport()
      const inside = x * zoom + left >= 0 && (x + nodeWidth) * zoom + left <= width && y * zoom + top >= 0 && (y + nodeHeight) * zoom + top <= height
      if (!inside) void setCenter(x + nodeWidth / 2, y + nodeHeight / 2, { zoom, duration: 150 })
    }, 250)
    return () => clearTimeout(timer)
  }, [x, y, width, height, getViewport, setCenter])
}

function flowNodes(boxes: Layout['boxes'], props: GraphProps): (StepNode | InputsNode)[] {
  const nodes = new Map(props.definition.nodes.map((node) => [idOf(node.name), node]))
  const variables = Object.entries(props.definition.variables)
  return boxes.flatMap(({ id, x, y, height }): (StepNode | InputsNode)[] => {
    const common = { id, position: { x, y }, width: nodeWidth, height }
    const node = nodes.get(id)
    if (id === inputsId) return [{ ...common, type: 'inputs', data: { variables, open: props.inputsOpen, onOpen: props.onOpenInputs } }]
    if (node === undefined) return []
    const data = {
      node,
      result: props.results?.[node.name] ?? null,
      open: props.openNode === node.name,
      problem: props.problems.find((problem) => problem.node === node.name)?.message ?? null,
      mark: props.marks.get(node.name) ?? null,
      onOpen: () => props.onOpen(node.name),
    }
    return [{ ...common, type: 'step', data }]
  })
}

function flowEdges(lines: Layout['lines'], props: GraphProps): LineEdge[] {
  const open = props.inputsOpen ? inputsId : props.openNode === null ? null : idOf(props.openNode)
  return lines.map(({ id, source, target, label, path, labelAt }) => {
    const targetName = target.slice(idOf('').length)
    const lit = open === source || open === target
    return {
      id,
      source,
      target,
      type: 'line',
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: lit ? 'var(--accent)' : 'var(--line-strong)' },
      data: { label, path, labelAt, lit, faded: props.results?.[targetName]?.status === 'SKIPPED', onOpen: () => props.onOpen(targetName) },
    }
  })
}
