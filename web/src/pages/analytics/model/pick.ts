import { fieldOf, type Field, type GroupField, type MetricField, type Operator } from '@/query/fields'
import { addFilter, addNode, type QueryState } from '@/query/state'
import type { ChartRequest } from './definition'

/** A part of a chart: its group and the value. */
export interface Part {
  group: { field: GroupField } | { key: string }
  /** The value in the API; for prompts, the id. */
  value: string
  /** The displayed value; for prompts, the name. */
  label: string
}

/** The groups of a chart, the first one first. */
export function groupsOf(chart: ChartRequest): Part['group'][] {
  const groups: (Part['group'] | null)[] = [
    groupOf(chart.groupByField, chart.groupByMetadataKey),
    groupOf(chart.secondaryGroupByField, chart.secondaryGroupByMetadataKey),
    ...(chart.hierarchyFields ?? []).map((field) => ({ field })),
  ]
  return groups.filter((group) => group !== null)
}

function groupOf(field: GroupField | undefined, key: string | undefined): Part['group'] | null {
  if (field !== undefined) return { field }
  return key === undefined ? null : { key }
}

/** The query narrowed to the requests of these parts. */
export function narrowTo<State extends QueryState>(state: State, parts: Part[]): State {
  return parts.reduce((narrowed, { group, value, label }) => {
    if ('key' in group) return addFilter(narrowed, 'metadata', value, group.key)
    // A prompt is easier to read by name; without a name, its label is the id.
    if (group.field === 'prompt_id') return label === value ? addFilter(narrowed, 'prompt_id', value) : addFilter(narrowed, 'prompt', label)
    return addFilter(narrowed, group.field, value)
  }, state)
}

/** The query narrowed to a range of a number, excluding the upper end of a bin. */
export function narrowToRange<State extends QueryState>(state: State, name: MetricField, from: number, to: number): State {
  const field = fieldOf(name)
  return addNode(addNode(state, condition(field, 'gte', from)), condition(field, 'lt', to))
}

function condition(field: Field, operator: Operator, value: number) {
  return { kind: 'condition' as const, field, operator, values: [String(value)] }
}
