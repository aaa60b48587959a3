/** What a custom chart can be: the types of the API, with the labels that people read. */

import type { Schemas } from '@/api/client'

export type Metric = NonNullable<Schemas['CustomChart']['metric']>

/** The labels of the metrics. */
export const metrics = {
  count: 'Number of requests',
  distinct_count: 'Distinct metadata values',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  percentile: 'Percentile',
} as const satisfies Record<Metric, string>

export type TimeBucket = NonNullable<Schemas['CustomChart']['timeBucket']>

/** The labels of the time buckets. */
export const buckets = { auto: 'Automatic', day: 'Days', week: 'Weeks', month: 'Months' } as const satisfies Record<TimeBucket, string>

/** A chart as custom-analytics takes it. */
export type ChartRequest = Schemas['CustomChart'] & { title: string }
export type ChartType = ChartRequest['chartType']
export type MetricDefinition = Pick<ChartRequest, 'metric' | 'metricField' | 'metricNestedKey' | 'percentile' | 'distinctMetadataKey'>

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
