import { Handle, Position, type Node as FlowNode, type NodeProps } from '@xyflow/react'
import { CircleAlert, CircleDot, SquareArrowRightEnter } from 'lucide-react'
import { cn } from '@/lib/cn'
import { typeLabel } from '@/step/node-types'
import { summaryOf } from '@/step/summary'
import { Spinner } from '@/ui/button'
import type { NodeResult, NodeStatus } from '../data'
import type { Node } from '../model/definition'
import { preview } from '../model/preview'
import { NodeIcon } from './icons'
import { nodeHeight, nodeWidth } from './shape'

export type StepNode = FlowNode<{ node: Node; result: NodeResult | null; open: boolean; problem: string | null; mark: 'added' | 'changed' | null; onOpen: () => void }, 'step'>
export type InputsNode = FlowNode<{ variables: [string, string][]; open: boolean; onOpen: () => void }, 'inputs'>

const statusLooks: Record<NodeStatus, string> = {
  QUEUED: 'border-line-strong bg-sunken',
  RUNNING: 'border-info',
  SUCCESS: 'border-good',
  FAILED: 'border-bad',
  SKIPPED: 'border-line-strong border-dashed bg-sunken text-faint',
}

const statusInk: Record<NodeStatus, string> = { QUEUED: 'text-faint', RUNNING: 'text-info', SUCCESS: 'text-good', FAILED: 'text-bad', SKIPPED: 'text-faint' }

const box = 'nodrag pointer-events-auto relative flex w-full cursor-pointer flex-col justify-center rounded-lg border bg-surface px-2.5 text-left shadow-[0_1px_2px_rgb(0_0_0/0.06)] hover:bg-hover'

/** A node: its type, its summary and, in a run, its result. */
export function StepBox({ data }: NodeProps<StepNode>) {
  const { node, result, open, problem, mark } = data
  const second = result === null ? summaryOf(node) : preview(result)
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        onClick={data.onOpen}
        aria-pressed={open}
        style={{ width: nodeWidth, height: nodeHeight }}
        className={cn(box, 'border-line-strong', result !== null && statusLooks[result.status], problem !== null && 'border-bad', open && 'ring-2 ring-accent')}
      >
        <span className="flex w-full items-center gap-2">
          <NodeIcon type={node.node_type} className="size-4 shrink-0 text-accent-ink" />
          <span className="min-w-0 flex-1 truncate text-[13px] font-medium">{node.name}</span>
          {mark !== null && <span title={mark === 'added' ? 'Unsaved: new' : 'Unsaved: changed'} className="size-2 shrink-0 rounded-full bg-warn" />}
          {problem !== null && <CircleAlert className="size-3.5 shrink-0 text-bad" aria-hidden />}
          {result?.status === 'RUNNING' && <Spinner className="text-info" />}
          {node.is_output_node && <OutputMark />}
        </span>
        <span className="sr-only">
          {typeLabel(node.node_type)}
          {result !== null && `, ${result.status.toLowerCase()}`}
          {problem !== null && `, ${problem}`}
        </span>
        <span className={cn('w-full truncate text-xs', result === null ? 'text-faint' : statusInk[result.status])} title={second}>
          {second === '' ? typeLabel(node.node_type) : second}
        </span>
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}

function OutputMark() {
  return (
    <span title="Output node" className="flex shrink-0 items-center gap-1 rounded bg-accent-soft px-1 text-[11px] leading-4 font-medium text-accent-ink">
      <CircleDot className="size-2.5" aria-hidden /> out
    </span>
  )
}

const shownVariables = 6

/** The box with the input variables. */
export function InputsBox({ data, height }: NodeProps<InputsNode>) {
  const { variables, open } = data
  const shown = variables.length > shownVariables ? variables.slice(0, shownVariables - 1) : variables
  return (
    <>
      <button
        type="button"
        onClick={data.onOpen}
        aria-pressed={open}
        style={{ width: nodeWidth, height }}
        className={cn(box, 'border-line-strong bg-sunken', open && 'ring-2 ring-accent')}
      >
        <span className="flex items-center gap-2 text-[13px] font-medium">
          <SquareArrowRightEnter className="size-4 text-accent-ink" aria-hidden /> Inputs
        </span>
        {shown.map(([name, type]) => (
          <span key={name} className="flex w-full justify-between gap-2 text-xs leading-[18px]">
            <span className="min-w-0 truncate font-mono">{name}</span>
            <span className="shrink-0 text-faint">{type}</span>
          </span>
        ))}
        {shown.length < variables.length && <span className="text-xs text-faint">{variables.length - shown.length} more</span>}
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}
