import { BaseEdge, EdgeLabelRenderer, type Edge as FlowEdge, type EdgeProps } from '@xyflow/react'
import { cn } from '@/lib/cn'
import type { Point } from './shape'

export type LineEdge = FlowEdge<{ label: string; path: string; labelAt: Point; faded: boolean; lit: boolean; onOpen: () => void }, 'line'>

/** A line between two nodes, with its condition. */
export function Line({ data, markerEnd }: EdgeProps<LineEdge>) {
  if (data === undefined) return null
  const { label, labelAt } = data
  return (
    <>
      <BaseEdge
        path={data.path}
        markerEnd={markerEnd}
        style={{
          stroke: data.lit ? 'var(--accent)' : undefined,
          strokeWidth: data.lit ? 1.75 : 1.25,
          strokeDasharray: data.faded ? '3 4' : label === '' ? undefined : '6 3',
          opacity: data.faded ? 0.6 : 1,
        }}
      />
      {label !== '' && (
        <EdgeLabelRenderer>
          <button
            type="button"
            tabIndex={-1}
            onClick={data.onOpen}
            title={label}
            style={{ transform: `translate(-50%, -50%) translate(${labelAt.x}px, ${labelAt.y}px)` }}
            className={cn('nodrag nopan pointer-events-auto absolute max-w-44 truncate rounded border border-line bg-surface px-1.5 font-mono text-[11px] leading-[18px] text-dim hover:border-line-strong', data.faded && 'opacity-70')}
          >
            {label}
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  )
}
