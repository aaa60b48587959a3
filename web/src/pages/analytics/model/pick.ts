import { fieldOf, type Field, type MetricField, type Operator } from '@/query/fields'
import { addFilter, addNode, type QueryState } from '@/query/state'
import type { ChartRequest } from './definition'
import { groupOf, type Group } from './draft'

/** A part of a chart: its group and the value. */
export interface Part {
  group: Group
  /** The value in the API; for prompts, the id. */
  value: string
  /** The displayed value; for prompts, the name. */
  label: string
}

/** The groups of a chart, the first one first. */
export function groupsOf(chart: ChartRequest): Part['group'][] {
  const groups: (Part['group'] | null)[] = [
    groupOf(chart.groupByField, chart.groupByMetadataKey, chart.groupByNestedKey),
    groupOf(chart.secondaryGroupByField, chart.secondaryGroupByMetadataKey, chart.secondaryGroupByNestedKey),
    ...(chart.hierarchyFields ?? []).map((field) => groupOf(field, undefined, undefined)),
  ]
  return groups.filter((group) => group !== null)
}

/** The query narrowed to the requests of these parts. */
export function narrowTo<State extends QueryState>(state: State, parts: Part[]): State {
  return parts.reduce((narrowed, { group, value, label }) => {
    if ('key' in group) return addFilter(narrowed, 'metadata', value, group.key)
    if ('score' in group) return addFilter(narrowed, 'score', value, group.score)
    // A prompt is easier to read by name; without a name, its label is the id.
    if (group.field === 'prompt_id') return label === value ? addFilter(narrowed, 'prompt_id', value) : addFilter(narrowed, 'prompt', label)
    if (group.field === 'prompt_version_ref') return narrowToVersion(narrowed, label)
    if (group.field === 'api_key_id') return addFilter(narrowed, /^\d+$/.test(label) ? 'api_key_id' : 'api_key', label)
    return addFilter(narrowed, group.field, value)
  }, state)
}

/** The query narrowed to a version: the label is "greeting v3", or "7:3" for a prompt without a name. */
function narrowToVersion<State extends QueryState>(state: State, label: string): State {
  const [, name, version] = /^(.*) v(\d+)$/s.exec(label) ?? []
  if (name !== undefined && version !== undefined) return addFilter(addFilter(state, 'prompt', name), 'version', version)
  return addFilter(state, 'prompt_version_ref', label)
}

/** The query narrowed to a range of a number, excluding the upper end of a bin. */
export function narrowToRange<State extends QueryState>(state: State, name: MetricField, from: number, to: number, key?: string): State {
  const field = fieldOf(name)
  return addNode(addNode(state, condition(field, key, 'gte', from)), condition(field, key, 'lt', to))
}

function condition(field: Field, key: string | undefined, operator: Operator, value: number) {
  return { kind: 'condition' as const, field, operator, ...(key === undefined ? {} : { key }), values: [String(value)] }
}
