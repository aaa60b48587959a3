import type { Schemas } from '@/api/client'
import { additive, type ChartRequest } from './definition'
import { bucketStarts, type Plan } from './plan'

/** The number of groups, and how many of them are drawn. */
export interface GroupCount {
  shown: number
  all: number
  /** Whether there are more groups than the API returns. */
  more: boolean
}

/** The response of the API for a chart and, if it is grouped, the number of groups. */
export type Answer = Schemas['ChartResponse'] & { groups?: GroupCount }
export type Row = Record<string, unknown>

/**
 * Joins the responses for parts of the time range by concatenating their rows. The
 * series are those of the whole range, because each part ranks its own groups.
 */
export function joinParts(whole: Answer, parts: Answer[]): Answer {
  return { ...whole, data: parts.flatMap(({ data }) => data) }
}

export interface TimeTable {
  /** The starts of the buckets in seconds since 1970. */
  times: number[]
  series: { key: string; label: string; values: (number | null)[] }[]
  /** The length of a bucket in seconds. */
  step: number
  /** Whether buckets are days or longer, which start at midnight UTC. */
  utc: boolean
}

const bucketLengths = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 }

/** The rows of a time series, including empty buckets. */
export function timeTable(chart: ChartRequest, answer: Answer, plan: Plan): TimeTable {
  const bucket = chart.timeBucket === undefined || chart.timeBucket === 'auto' ? null : chart.timeBucket
  const step = bucket === null ? plan.step / 1000 : bucketLengths[bucket]
  const sums = additive(chart)
  const rows = rowsByStart(answer.data, bucket === null ? plan.step : null, sums)
  const found = [...rows.keys()]
  // Weeks and months differ in length: show only those with data.
  const starts = bucket === 'week' || bucket === 'month' ? found.sort((a, b) => a - b) : bucketStarts(bucket === 'day' ? { ...plan, step: 86_400_000 } : plan, found)
  const grouped = chart.groupByField !== undefined || chart.groupByMetadataKey !== undefined
  const value = (row: Row | undefined, key: string): number | null => {
    const number = row?.[key]
    if (typeof number !== 'number') return sums ? 0 : null
    // The server returns 0 for a group that a bucket lacks, which is not an average.
    return grouped && !sums && number === 0 ? null : number
  }
  const table: TimeTable = {
    times: starts.map((start) => start / 1000),
    series: answer.series.map(({ key, label }) => ({ key, label, values: starts.map((start) => value(rows.get(start), key)) })),
    step,
    utc: step >= 86_400,
  }
  return sums && bucket === null && step < 86_400 ? coarser(table) : table
}

/** The rows by the start of their bucket in ms. Rows of shorter buckets are added up. */
function rowsByStart(data: Row[], step: number | null, sums: boolean): Map<number, Row> {
  const rows = new Map<number, Row>()
  for (const row of data) {
    const at = Date.parse(String(row.bucketKey))
    if (Number.isNaN(at)) continue
    const start = step === null ? at : Math.floor(at / step) * step
    const old = rows.get(start)
    rows.set(start, old !== undefined && sums ? addRows(old, row) : row)
  }
  return rows
}

function addRows(one: Row, other: Row): Row {
  const sum = { ...one }
  for (const [key, value] of Object.entries(other)) {
    if (typeof value === 'number') sum[key] = (typeof sum[key] === 'number' ? sum[key] : 0) + value
  }
  return sum
}

const mostBars = 100

/** Merges neighbouring buckets of sums until there are few enough to tell apart. */
export function coarser({ times, series, step, utc }: TimeTable): TimeTable {
  const factor = [1, 2, 3, 5, 10, 15, 30].find((count) => times.length / count <= mostBars) ?? 1
  const wide = step * factor
  const starts = [...new Set(times.map((time) => Math.floor(time / wide) * wide))]
  const place = new Map(starts.map((start, index) => [start, index]))
  return {
    times: starts,
    step: wide,
    utc,
    series: series.map((one) => {
      const values = starts.map(() => 0)
      times.forEach((time, at) => {
        const index = place.get(Math.floor(time / wide) * wide)
        if (index !== undefined) values[index] = (values[index] ?? 0) + (one.values[at] ?? 0)
      })
      return { ...one, values }
    }),
  }
}
