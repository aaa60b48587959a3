import type { Answer } from '../model/answers'
import type { MetricField } from '@/query/fields'
import type { ChartDefinition } from '../model/definition'
import type { Part } from '../model/pick'
import type { Plan } from '../model/plan'

/** The handlers for clicks and drags in a chart. */
export interface ChartActions {
  /** Charts with the same key share the crosshair. */
  syncKey?: string
  onZoom?: (from: number, to: number) => void
  onZoomOut?: () => void
  onNarrow?: (parts: Part[]) => void
  onNarrowRange?: (field: MetricField, from: number, to: number, key?: string) => void
}

export interface DrawingProps extends ChartActions {
  chart: ChartDefinition
  answer: Answer
  plan: Plan
  height?: number
}
