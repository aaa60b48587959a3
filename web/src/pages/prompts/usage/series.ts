import type { Schemas } from '@/api/client'
import { instant } from '@/lib/format'

type Chart = Schemas['ChartResponse']

/** A chart over time with one line for each version. */
export interface VersionLines {
  /** The starts of the buckets in seconds since 1970. */
  times: number[]
  lines: { version: string; values: (number | null)[] }[]
}

/**
 * The lines of several charts over the same buckets, so that they share an axis.
 * The API omits empty buckets; those between the first and the last are added.
 */
export function versionLines(charts: Record<string, Chart | undefined>, gaps: 'zero' | 'none'): Record<string, VersionLines> {
  const keys = new Set(Object.values(charts).flatMap((chart) => (chart?.data ?? []).map((row) => String(row.bucketKey))))
  const times = filled([...keys].map((key) => instant(key.includes('T') ? key : `${key}T00:00:00`).getTime() / 1000).sort((one, other) => one - other))
  return Object.fromEntries(
    Object.entries(charts).map(([name, chart]) => {
      const rows = new Map((chart?.data ?? []).map((row) => [instant(String(row.bucketKey).includes('T') ? String(row.bucketKey) : `${String(row.bucketKey)}T00:00:00`).getTime() / 1000, row]))
      const lines = (chart?.series ?? [])
        .map(({ key }) => ({ version: key, values: times.map((time) => readNumber(rows.get(time)?.[key], gaps)) }))
        .sort((one, other) => Number(other.version) - Number(one.version))
      return [name, { times, lines }]
    }),
  )
}

/** Empty buckets are null for averages and zero for counts. */
function readNumber(value: unknown, gaps: 'zero' | 'none'): number | null {
  const number = typeof value === 'number' ? value : 0
  return number === 0 && gaps === 'none' ? null : number
}

/** Adds missing buckets, up to a thousand. */
function filled(times: number[]): number[] {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const step = Math.min(...steps)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || steps.length === 0 || (last - first) / step > 1000) return times
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, index) => first + index * step)
}

/** A row of the table: all figures of one version. */
export interface VersionTotals {
  version: string
  requests: number
  errors: number
  cost: number
  latency: number | null
  p95: number | null
}

/** Combines the charts grouped by version, newest version first. */
export function versionTotals(charts: { requests?: Chart; errors?: Chart; cost?: Chart; latency?: Chart; p95?: Chart }): VersionTotals[] {
  const value = (chart: Chart | undefined, version: string): number | null => {
    const found = chart?.data.find((row) => String(row.label) === version)?.value
    return typeof found === 'number' ? found : null
  }
  return (charts.requests?.data ?? [])
    .map((row) => String(row.label))
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => ({
      version,
      requests: value(charts.requests, version) ?? 0,
      errors: value(charts.errors, version) ?? 0,
      cost: value(charts.cost, version) ?? 0,
      latency: value(charts.latency, version),
      p95: value(charts.p95, version),
    }))
}

/** The average of all scores in a list of requests, or null without scores. */
export function averageScore(requests: { scores?: { score: number }[] }[]): number | null {
  const scores = requests.flatMap((request) => (request.scores ?? []).map(({ score }) => score))
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length
}
