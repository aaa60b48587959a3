import { fieldOf, groupFields } from '@/query/fields'
import type { Answer, GroupCount, Row } from './answers'
import { additive, type ChartRequest } from './definition'
import { groupsOf } from './pick'

/** The maximum number of groups of the API, and its default. */
const mostGroups = 100
const usualGroups = 25

// Keys that no model or prompt has.
const othersKey = '\u0000others'
const noneKey = '\u0000none'

/** Reports whether a series is a remainder: the groups that are not shown, or requests without a group. */
export function isRest(key: string): boolean {
  return key === othersKey || key === noneKey
}

/** The same for a row of a chart that is not over time. */
export function isRestRow(row: Row): boolean {
  return typeof row.groupKey === 'string' && isRest(row.groupKey)
}

/** The CSS variable with the colour of a remainder. */
export function restColour(key: string): string {
  return key === othersKey ? '--line-strong' : '--faint'
}

/** Whether a request can be in several groups. */
export function overlaps({ groupByField }: ChartRequest): boolean {
  return groupByField !== undefined && fieldOf(groupByField).type === 'array'
}

/** Reports whether the chart draws only the highest groups of a whole. */
function drawsGroups(chart: ChartRequest): boolean {
  return groupsOf(chart).length === 1 && chart.series === undefined && (chart.timeSeries === true || chart.chartType === 'pie' || chart.chartType === 'donut')
}

/** Reports whether the chart lists its highest groups, or the highest leaves of a hierarchy, without a remainder. */
function listsGroups(chart: ChartRequest): boolean {
  return chart.timeSeries !== true && (isTree(chart) || (chart.chartType === 'bar' && groupsOf(chart).length === 1))
}

function isTree({ chartType }: ChartRequest): boolean {
  return chartType === 'treemap' || chartType === 'sunburst'
}

/** Reports whether the groups are stacked or form a pie. */
export function stacks(chart: ChartRequest): boolean {
  return drawsGroups(chart) && additive(chart) && chart.chartType !== 'line'
}

/** Reports whether the groups and the remainder add up to a meaningful total. */
export function comesToTotal(chart: ChartRequest): boolean {
  return stacks(chart) && !overlaps(chart)
}

/** Requests all groups, so that those not drawn can be counted and added up. */
export function withAllGroups(chart: ChartRequest): ChartRequest {
  return drawsGroups(chart) || listsGroups(chart) ? { ...chart, limit: mostGroups } : chart
}

/** The same chart without groups, if the groups are parts of it. Charts with the same measure share it. */
export function totalOf(chart: ChartRequest): ChartRequest | undefined {
  if (!comesToTotal(chart)) return undefined
  const { metric, metricField, metricNestedKey, timeSeries = false, timeBucket = 'auto' } = chart
  const measure = { metric, ...(metricField === undefined ? {} : { metricField }), ...(metricNestedKey === undefined ? {} : { metricNestedKey }) }
  return { id: ['total', metric, metricField, timeSeries ? timeBucket : undefined].filter(Boolean).join('-'), title: '', chartType: 'bar', ...measure, ...(timeSeries ? { timeSeries, timeBucket } : {}) }
}

/** The response limited to the requested groups, with the remainder as groups of their own. */
export function withRest(chart: ChartRequest, answer: Answer, total: Answer | undefined): Answer {
  const limit = chart.limit ?? usualGroups
  if (listsGroups(chart)) {
    const all = answer.data.length
    return { ...answer, data: answer.data.slice(0, limit), groups: { shown: Math.min(limit, all), all, more: all >= mostGroups } }
  }
  if (!drawsGroups(chart)) return answer
  const all = chart.timeSeries ? answer.series.length : answer.data.length
  const groups: GroupCount = { shown: Math.min(limit, all), all, more: all >= mostGroups }
  const names = { [othersKey]: groups.more ? 'others' : `others (${all - groups.shown})`, [noneKey]: noneName(chart) }
  return { ...(chart.timeSeries ? overTime(answer, total, groups, names) : overall(answer, total, groups, names)), groups }
}

type Names = Record<string, string>

function overTime(answer: Answer, total: Answer | undefined, groups: GroupCount, names: Names): Answer {
  const shown = answer.series.slice(0, groups.shown)
  if (total === undefined) return { ...answer, series: shown }
  const rows = new Map(answer.data.map((row) => [row.bucketKey, row]))
  // If no request of a bucket has a group, only the total has a row.
  const data = total.data.map((whole): Row => {
    const row = rows.get(whole.bucketKey) ?? { bucketKey: whole.bucketKey, label: whole.label }
    return { ...row, ...rest(numberAt(whole, 'value'), sum(row, shown), sum(row, answer.series), groups) }
  })
  const unit = shown[0]?.unit ?? total.series[0]?.unit ?? 'number'
  const added = Object.entries(names).filter(([key]) => data.some((row) => numberAt(row, key) > 0))
  return { ...answer, series: [...shown, ...added.map(([key, label]) => ({ key, label, unit }))], data }
}

function overall(answer: Answer, total: Answer | undefined, groups: GroupCount, names: Names): Answer {
  const shown = answer.data.slice(0, groups.shown)
  if (total === undefined) return { ...answer, data: shown }
  const key = answer.series[0]?.key ?? 'value'
  const added = (rows: Row[]) => rows.reduce((all, row) => all + numberAt(row, key), 0)
  const left = rest(numberAt(total.data[0] ?? {}, 'value'), added(shown), added(answer.data), groups)
  const rows = Object.entries(left).filter(([, value]) => value > 0).map(([groupKey, value]): Row => ({ label: names[groupKey], groupKey, [key]: value }))
  return { ...answer, data: [...shown, ...rows] }
}

/** The remainder beyond the shown groups. If the API does not return all groups, others and none cannot be distinguished. */
function rest(whole: number, shown: number, all: number, { more }: GroupCount): Record<string, number> {
  const grouped = more ? whole : all
  // Ignore the rounding errors of adding fractions.
  const clean = (value: number) => (value > whole * 1e-9 ? value : 0)
  return { [othersKey]: clean(grouped - shown), [noneKey]: clean(whole - grouped) }
}

function sum(row: Row, series: { key: string }[]): number {
  return series.reduce((all, { key }) => all + numberAt(row, key), 0)
}

function numberAt(row: Row, key: string): number {
  const value = row[key]
  return typeof value === 'number' ? value : 0
}

function noneName({ groupByField, groupByMetadataKey, groupByNestedKey }: ChartRequest): string {
  if (groupByField === 'scores') return `no score ${groupByNestedKey}`
  return `no ${groupByField === undefined ? groupByMetadataKey : groupFields[groupByField].toLowerCase()}`
}

/** A note about the drawn groups, or null if they are complete. */
export function groupsNote(chart: ChartRequest, { groups }: Answer): string | null {
  if (groups === undefined) return null
  const some = groups.shown < groups.all && !comesToTotal(chart) ? `${groups.shown} of ${groups.all}${groups.more ? ' or more' : ''} shown.` : ''
  const several = stacks(chart) && overlaps(chart) ? 'A request can be counted in several groups.' : ''
  const shares = some !== '' && isTree(chart) ? 'Shares are of those shown.' : ''
  return [some, shares, several].filter(Boolean).join(' ') || null
}
