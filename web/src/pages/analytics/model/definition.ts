/** The vocabulary of custom charts in the API, with display names. */

export const metricFields = {
  cost: 'Cost',
  latency_ms: 'Latency',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cached_tokens: 'Cached tokens',
  thinking_tokens: 'Thinking tokens',
  turn_count: 'Turns',
  tool_call_count: 'Tool calls',
  prompt_version_number: 'Prompt version',
} as const
export type MetricField = keyof typeof metricFields

export const metrics = {
  count: 'Number of requests',
  distinct_count: 'Distinct metadata values',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  percentile: 'Percentile',
} as const
export type Metric = keyof typeof metrics

export const groupFields = {
  engine: 'Model',
  provider_type: 'Provider',
  prompt_id: 'Prompt',
  prompt_version_number: 'Prompt version',
  status: 'Status',
  error_type: 'Error type',
  tags: 'Tag',
  tool_names: 'Tool',
  metadata_keys: 'Metadata key',
  output_keys: 'Output key',
  input_variable_keys: 'Input variable',
} as const
export type GroupField = keyof typeof groupFields

export const buckets = { auto: 'Automatic', day: 'Days', week: 'Weeks', month: 'Months' } as const
export type TimeBucket = keyof typeof buckets

export type ChartType = 'bar' | 'line' | 'area' | 'pie' | 'donut' | 'histogram' | 'heatmap' | 'treemap' | 'sunburst'

export interface MetricDefinition {
  metric?: Metric
  metricField?: MetricField
  percentile?: number
  distinctMetadataKey?: string
}

export interface SeriesDefinition extends MetricDefinition {
  key: string
  label: string
}

export interface RatioDefinition {
  type: 'ratio'
  label: string
  numeratorSeriesKey: string
  denominatorSeriesKey: string
}

/** A chart in the format of custom-analytics. */
export interface ChartRequest extends MetricDefinition {
  id: string
  title: string
  chartType: ChartType
  series?: SeriesDefinition[]
  derivedInsights?: RatioDefinition[]
  groupByField?: GroupField
  groupByMetadataKey?: string
  secondaryGroupByField?: GroupField
  secondaryGroupByMetadataKey?: string
  histogramField?: MetricField
  histogramInterval?: number
  hierarchyFields?: GroupField[]
  timeSeries?: boolean
  timeBucket?: TimeBucket
  limit?: number
}

export const widths = { third: 'One third', half: 'Half', full: 'Full' } as const
export type Width = keyof typeof widths

/** A chart as stored in dashboards: with its own query and layout. */
export interface ChartDefinition extends ChartRequest {
  q?: string
  layout?: { width?: Width }
}

/** The part of a saved chart that the API understands. */
export function chartRequest(chart: ChartDefinition): ChartRequest {
  const request: ChartDefinition = { ...chart }
  delete request.q
  delete request.layout
  return request
}

/** Reports whether values can be added up, so that no request means 0 and groups can be stacked. */
export function additive({ metric, series }: Pick<ChartRequest, 'metric' | 'series'>): boolean {
  if (series !== undefined) return series.every((one) => additive({ metric: one.metric }))
  return metric === 'count' || metric === 'sum'
}

/** An id for a new chart. */
export function newChartId(): string {
  return 'c' + Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
