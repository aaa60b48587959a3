import type { ChartDefinition, GroupField, Metric, MetricField } from '../model/definition'

const tokens = (key: string, label: string, metricField: MetricField) => ({ key, label, metric: 'sum' as const, metricField })
const latency = (percentile: number) => ({ key: `p${percentile}`, label: `p${percentile}`, metric: 'percentile' as const, metricField: 'latency_ms' as const, percentile })

/** The charts over time that every query has; each can be taken into a dashboard as it is. */
export const timeCharts: ChartDefinition[] = [
  { id: 'requests', title: 'Requests', chartType: 'bar', metric: 'count', groupByField: 'status', timeSeries: true, limit: 10 },
  { id: 'cost', title: 'Cost by model', chartType: 'bar', metric: 'sum', metricField: 'cost', groupByField: 'engine', timeSeries: true, limit: 8 },
  { id: 'latency', title: 'Latency', chartType: 'line', series: [latency(50), latency(90), latency(95), latency(99)], timeSeries: true },
  {
    id: 'tokens', title: 'Tokens', chartType: 'line', timeSeries: true,
    series: [tokens('input', 'Input', 'input_tokens'), tokens('output', 'Output', 'output_tokens'), tokens('cached', 'Cached', 'cached_tokens'), tokens('thinking', 'Thinking', 'thinking_tokens')],
  },
  { id: 'errors', title: 'Errors by type', chartType: 'bar', metric: 'count', groupByField: 'error_type', timeSeries: true, limit: 10 },
  { id: 'tools', title: 'Tool calls', chartType: 'bar', metric: 'count', groupByField: 'tool_names', timeSeries: true, limit: 8 },
]

/** What the fixed payload does not say about models. */
export const modelChart: ChartDefinition = {
  id: 'models', title: 'Models', chartType: 'bar', groupByField: 'engine', limit: 100,
  series: [tokens('cost', 'Cost', 'cost'), tokens('input', 'Input', 'input_tokens'), tokens('output', 'Output', 'output_tokens')],
}

/** A ranking as a chart for a dashboard. */
export function rankingChart(title: string, group: GroupField | { key: string }, measure: { metric: Metric; metricField?: MetricField } = { metric: 'count' }): ChartDefinition {
  return { id: 'ranking', title, chartType: 'bar', ...measure, ...(typeof group === 'string' ? { groupByField: group } : { groupByMetadataKey: group.key }), limit: 10 }
}
