import type { Schemas } from '@/api/client'
import { groupFields, metricFields, type GroupField, type MetricField } from '@/query/fields'
import { newChartId, type ChartDefinition, type ChartType, type Metric, type MetricDefinition, type TimeBucket, type Width } from './definition'

/** The chart types of the editor. Each is a type of the API, over time or not. */
export const kinds = {
  'time-bars': { label: 'Bars over time', type: 'bar', time: true },
  'time-line': { label: 'Lines over time', type: 'line', time: true },
  'time-area': { label: 'Areas over time', type: 'area', time: true },
  ranking: { label: 'Ranking', type: 'bar', time: false },
  pie: { label: 'Pie', type: 'pie', time: false },
  donut: { label: 'Donut', type: 'donut', time: false },
  number: { label: 'Number', type: 'bar', time: false },
  histogram: { label: 'Distribution', type: 'histogram', time: false },
  heatmap: { label: 'Heat map', type: 'heatmap', time: false },
  treemap: { label: 'Tree map', type: 'treemap', time: false },
  sunburst: { label: 'Sunburst', type: 'sunburst', time: false },
} as const satisfies Record<string, { label: string; type: ChartType; time: boolean }>
export type KindName = keyof typeof kinds

export interface Measure {
  metric: Metric
  field: MetricField
  percentile: number
  /** The metadata key whose values are counted. */
  key: string
  /** The name of the score, if the field is that of scores. */
  score: string
}

/** The grouping of a chart: a field, the values of a metadata key, or a score. */
export type Group = { field: GroupField } | { key: string } | { score: string }

export interface Ratio {
  label: string
  /** The indexes of two measures. */
  above: number
  below: number
}

/** A chart in the editor, including settings that the selected type does not use. */
export interface Draft {
  id: string
  title: string
  kind: KindName
  measures: Measure[]
  ratios: Ratio[]
  group: Group | null
  second: Group | null
  levels: GroupField[]
  distribution: MetricField
  /** The name of the score whose distribution is shown. */
  distributionScore: string
  /** The width of a bin, or '' for the default. */
  bin: string
  bucket: TimeBucket
  limit: number
  q: string
  width: Width
}

export const requestsMeasure: Measure = { metric: 'count', field: 'cost', percentile: 95, key: '', score: '' }

export function newDraft(): Draft {
  return {
    id: newChartId(), title: '', kind: 'time-bars', measures: [requestsMeasure], ratios: [], group: null, second: null, levels: ['provider_type', 'engine'],
    distribution: 'latency_ms', distributionScore: '', bin: '', bucket: 'auto', limit: 10, q: '', width: 'half',
  }
}

/** Reports whether the type shows several measures. */
export function takesSeveral({ kind, group }: Pick<Draft, 'kind' | 'group'>): boolean {
  if (kinds[kind].time) return group === null
  return kind === 'ranking' || kind === 'number'
}

export function takesGroup(kind: KindName): boolean {
  return kinds[kind].time || ['ranking', 'pie', 'donut', 'heatmap'].includes(kind)
}

/** Returns why the draft is not a valid chart, or null. */
export function draftProblem(draft: Draft): string | null {
  const used = takesSeveral(draft) ? draft.measures : draft.measures.slice(0, 1)
  if (used.some((one) => one.metric === 'distinct_count' && one.key.trim() === '')) return 'Choose the metadata key to count.'
  if (used.some((one) => measuresScore(one) && one.score.trim() === '')) return 'Choose a score.'
  if (used.length > 1 && used.some((one) => one.metric === 'count' || one.metric === 'distinct_count')) return 'Counts cannot be combined with other measures. Use sums, averages or percentiles, or create a second chart.'
  if (used.some((one) => one.metric === 'percentile' && !(one.percentile >= 0 && one.percentile <= 100))) return 'The percentile must be between 0 and 100.'
  if (needsGroup(draft.kind) && draft.group === null) return 'Choose what to split by.'
  if (emptyKey(draft.group) || (draft.kind === 'heatmap' && emptyKey(draft.second))) return 'Choose a metadata key.'
  if (emptyScore(draft.group) || (draft.kind === 'heatmap' && emptyScore(draft.second))) return 'Choose a score.'
  if (draft.kind === 'histogram' && draft.distribution === 'scores' && draft.distributionScore.trim() === '') return 'Choose a score.'
  if (draft.kind === 'heatmap' && draft.second === null) return 'Choose rows and columns for the heat map.'
  if (draft.kind === 'heatmap' && JSON.stringify(draft.group) === JSON.stringify(draft.second)) return 'Rows and columns must be different.'
  if (isTree(draft.kind) && (draft.levels.length < 2 || new Set(draft.levels).size < draft.levels.length)) return 'Choose two to five different levels.'
  if (draft.bin !== '' && !(Number(draft.bin) > 0)) return 'The bin width must be greater than 0.'
  return null
}

function needsGroup(kind: KindName): boolean {
  return kind === 'ranking' || kind === 'pie' || kind === 'donut' || kind === 'heatmap'
}

function isTree(kind: KindName): boolean {
  return kind === 'treemap' || kind === 'sunburst'
}

function emptyKey(group: Group | null): boolean {
  return group !== null && 'key' in group && group.key.trim() === ''
}

function emptyScore(group: Group | null): boolean {
  return group !== null && 'score' in group && group.score.trim() === ''
}

/** Whether the measure summarises a score. */
export function measuresScore({ metric, field }: Pick<Measure, 'metric' | 'field'>): boolean {
  return field === 'scores' && metric !== 'count' && metric !== 'distinct_count'
}

/** The chart definition for a draft, with only the settings its type uses. */
export function definitionOf(draft: Draft): ChartDefinition {
  const { kind } = draft
  const { type, time } = kinds[kind]
  const several = takesSeveral(draft) && draft.measures.length > 1
  return {
    id: draft.id,
    title: draft.title.trim() || titleOf(draft),
    chartType: type,
    ...(several ? severalMeasures(draft) : metricOf(draft.measures[0] ?? requestsMeasure)),
    ...(takesGroup(kind) ? groupMembers(draft.group, 'groupBy') : {}),
    ...(kind === 'heatmap' ? groupMembers(draft.second, 'secondaryGroupBy') : {}),
    ...(kind === 'histogram' ? { histogramField: draft.distribution, ...(draft.distribution === 'scores' ? { histogramNestedKey: draft.distributionScore.trim() } : {}), ...(draft.bin === '' ? {} : { histogramInterval: Number(draft.bin) }) } : {}),
    ...(isTree(kind) ? { hierarchyFields: draft.levels } : {}),
    ...(time ? { timeSeries: true, ...(draft.bucket === 'auto' ? {} : { timeBucket: draft.bucket }) } : {}),
    ...(kind === 'number' || kind === 'histogram' ? {} : { limit: draft.limit }),
    ...(draft.q.trim() === '' ? {} : { q: draft.q.trim() }),
    layout: { width: draft.width },
  }
}

function severalMeasures({ measures, ratios }: Draft): Pick<ChartDefinition, 'series' | 'derivedInsights'> {
  const key = (index: number) => `s${index + 1}`
  const insights = ratios.filter(({ above, below }) => above < measures.length && below < measures.length)
  return {
    // draftProblem refuses counts, which series do not take.
    series: measures.map((measure, index) => ({ key: key(index), label: measureName(measure), ...metricOf(measure) }) as Schemas['ChartSeries']),
    ...(insights.length === 0 ? {} : {
      derivedInsights: insights.map(({ label, above, below }) => ({ type: 'ratio', label, numeratorSeriesKey: key(above), denominatorSeriesKey: key(below) })),
    }),
  }
}

function metricOf({ metric, field, percentile, key, score }: Measure): MetricDefinition {
  if (metric === 'count') return { metric }
  if (metric === 'distinct_count') return { metric, distinctMetadataKey: key.trim() }
  return { metric, metricField: field, ...(field === 'scores' ? { metricNestedKey: score.trim() } : {}), ...(metric === 'percentile' ? { percentile } : {}) }
}

function groupMembers(group: Group | null, prefix: 'groupBy' | 'secondaryGroupBy'): Partial<ChartDefinition> {
  if (group === null) return {}
  if ('key' in group) return { [`${prefix}MetadataKey`]: group.key.trim() }
  return 'score' in group ? { [`${prefix}Field`]: 'scores', [`${prefix}NestedKey`]: group.score.trim() } : { [`${prefix}Field`]: group.field }
}

/** The name of a measure in a legend. */
export function measureName({ metric, field, percentile, key, score }: Measure): string {
  const name = field === 'scores' ? `Score ${score}`.trim() : metricFields[field]
  switch (metric) {
    case 'count': return 'Requests'
    case 'distinct_count': return `Distinct ${key || 'values'}`
    case 'sum': return name
    case 'avg': return `Average ${lower(name)}`
    case 'min': return `Minimum ${lower(name)}`
    case 'max': return `Maximum ${lower(name)}`
    case 'percentile': return `${name} p${percentile}`
  }
}

function lower(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

/** The default title of a chart. */
export function titleOf(draft: Draft): string {
  const several = takesSeveral(draft) && draft.measures.length > 1
  const measured = several ? draft.measures.map(measureName).join(', ') : measureName(draft.measures[0] ?? requestsMeasure)
  const by = takesGroup(draft.kind) && draft.group !== null ? ` by ${groupName(draft.group)}` : ''
  const and = draft.kind === 'heatmap' && draft.second !== null ? ` and ${groupName(draft.second)}` : ''
  const over = draft.kind === 'histogram' ? ` by ${draft.distribution === 'scores' ? `score ${draft.distributionScore}`.trim() : lower(metricFields[draft.distribution])}` : ''
  return (measured + by + and + over).slice(0, 200)
}

function groupName(group: Group): string {
  if ('score' in group) return `score ${group.score}`.trim()
  return 'key' in group ? group.key || 'metadata' : lower(groupFields[group.field])
}

/** The draft to edit a saved chart. */
export function draftOf(chart: ChartDefinition): Draft {
  const several = chart.series ?? []
  const place = (key: string) => several.findIndex((one) => one.key === key)
  const start = newDraft()
  return {
    ...start,
    id: chart.id,
    title: chart.title,
    kind: kindOf(chart),
    measures: several.length > 0 ? several.map(measureOf) : [measureOf(chart)],
    ratios: (chart.derivedInsights ?? []).map((ratio) => ({ label: ratio.label, above: place(ratio.numeratorSeriesKey), below: place(ratio.denominatorSeriesKey) })).filter(({ above, below }) => above >= 0 && below >= 0),
    group: groupOf(chart.groupByField, chart.groupByMetadataKey, chart.groupByNestedKey),
    second: groupOf(chart.secondaryGroupByField, chart.secondaryGroupByMetadataKey, chart.secondaryGroupByNestedKey),
    levels: chart.hierarchyFields?.filter((field) => field !== 'scores') ?? start.levels,
    distribution: chart.histogramField ?? start.distribution,
    distributionScore: chart.histogramNestedKey ?? '',
    bin: chart.histogramInterval === undefined ? '' : String(chart.histogramInterval),
    bucket: chart.timeBucket ?? 'auto',
    limit: chart.limit ?? 25,
    q: chart.q ?? '',
    width: chart.layout?.width ?? 'half',
  }
}

/** The chart type of a saved chart. */
export function kindOf(chart: ChartDefinition): KindName {
  if (chart.timeSeries) return chart.chartType === 'line' ? 'time-line' : chart.chartType === 'area' ? 'time-area' : 'time-bars'
  if (chart.chartType === 'bar' || chart.chartType === 'line' || chart.chartType === 'area') {
    return chart.groupByField === undefined && chart.groupByMetadataKey === undefined ? 'number' : 'ranking'
  }
  return chart.chartType
}

function measureOf({ metric, metricField, metricNestedKey, percentile, distinctMetadataKey }: MetricDefinition): Measure {
  return { metric: metric ?? 'count', field: metricField ?? requestsMeasure.field, percentile: percentile ?? requestsMeasure.percentile, key: distinctMetadataKey ?? '', score: metricNestedKey ?? '' }
}

/** A group as charts of the API have it. */
export function groupOf(field: GroupField | 'scores' | undefined, key: string | undefined, score: string | undefined): Group | null {
  if (field === 'scores') return { score: score ?? '' }
  if (field !== undefined) return { field }
  return key === undefined ? null : { key }
}
