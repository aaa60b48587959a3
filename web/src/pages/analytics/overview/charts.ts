import { groupFields, type GroupField, type MetricField } from '@/query/fields'
import type { ChartDefinition, Metric } from '../model/definition'
import type { Group } from '../model/draft'

const tokens = (key: string, label: string, metricField: MetricField) => ({ key, label, metric: 'sum' as const, metricField })
const latency = (percentile: number) => ({ key: `p${percentile}`, label: `p${percentile}`, metric: 'percentile' as const, metricField: 'latency_ms' as const, percentile })

/** Warnings have error types too; these are the errors that the totals count. */
const errorsOnly = 'status:ERROR'

/** The default charts over time. Each can be added to a dashboard. */
const timeCharts: ChartDefinition[] = [
  { id: 'requests', title: 'Requests', chartType: 'bar', metric: 'count', groupByField: 'status', timeSeries: true, limit: 10 },
  { id: 'cost', title: 'Cost by model', chartType: 'bar', metric: 'sum', metricField: 'cost', groupByField: 'engine', timeSeries: true, limit: 8 },
  { id: 'latency', title: 'Latency', chartType: 'line', series: [latency(50), latency(90), latency(95), latency(99)], timeSeries: true },
  {
    id: 'tokens', title: 'Tokens', chartType: 'line', timeSeries: true,
    series: [tokens('input', 'Input', 'input_tokens'), tokens('output', 'Output', 'output_tokens'), tokens('cached', 'Cached', 'cached_tokens'), tokens('thinking', 'Thinking', 'thinking_tokens')],
  },
  { id: 'errors', title: 'Errors by type', chartType: 'bar', metric: 'count', q: errorsOnly, groupByField: 'error_type', timeSeries: true, limit: 10 },
  { id: 'tools', title: 'Tool calls', chartType: 'bar', metric: 'count', groupByField: 'tool_names', timeSeries: true, limit: 8 },
]

/** The same charts over time for a chosen group. */
function splitCharts(group: Group): ChartDefinition[] {
  const members = 'key' in group ? { groupByMetadataKey: group.key } : 'score' in group ? { groupByField: 'scores' as const, groupByNestedKey: group.score } : { groupByField: group.field }
  const over = { timeSeries: true, limit: 8, ...members } as const
  return [
    { id: 'requests', title: 'Requests', chartType: 'bar', metric: 'count', ...over },
    { id: 'cost', title: 'Cost', chartType: 'bar', metric: 'sum', metricField: 'cost', ...over },
    { id: 'latency', title: 'Latency p95', chartType: 'line', metric: 'percentile', percentile: 95, metricField: 'latency_ms', ...over, limit: 5 },
    { id: 'errors', title: 'Errors', chartType: 'bar', metric: 'count', q: errorsOnly, ...over },
    { id: 'input', title: 'Input tokens', chartType: 'bar', metric: 'sum', metricField: 'input_tokens', ...over },
    { id: 'output', title: 'Output tokens', chartType: 'bar', metric: 'sum', metricField: 'output_tokens', ...over },
  ]
}

const metadataPrefix = 'metadata.'

/** The charts over time, grouped as the URL says. */
export function chartsBy(by: string | undefined): ChartDefinition[] {
  if (by === undefined) return timeCharts
  if (by.startsWith(metadataPrefix)) return splitCharts({ key: by.slice(metadataPrefix.length) })
  return by in groupFields ? splitCharts({ field: by as GroupField }) : timeCharts
}

/** What the analytics response does not contain about models. */
export const modelChart: ChartDefinition = {
  id: 'models', title: 'Models', chartType: 'bar', groupByField: 'engine', limit: 100,
  series: [tokens('cost', 'Cost', 'cost'), tokens('input', 'Input', 'input_tokens'), tokens('output', 'Output', 'output_tokens')],
}

/** The errors by type, including those without one. The analytics response also counts warnings. */
export const errorTypeChart: ChartDefinition = { id: 'error-types', title: 'Error types', chartType: 'pie', metric: 'count', groupByField: 'error_type', limit: 100, q: errorsOnly }

/** A ranking as a chart for a dashboard. */
export function rankingChart(title: string, group: GroupField | { key: string }, measure: { metric: Metric; metricField?: MetricField } = { metric: 'count' }): ChartDefinition {
  return { id: 'ranking', title, chartType: 'bar', ...measure, ...(typeof group === 'string' ? { groupByField: group } : { groupByMetadataKey: group.key }), limit: 10 }
}
