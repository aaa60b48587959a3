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

/** The lengths in seconds that the server chooses. Gaps between buckets say nothing about them if most are empty. */
const bucketLengths = [86_400, 3600, 300, 60]

/** Adds missing buckets, up to a thousand. */
function filled(times: number[]): number[] {
  const step = bucketLengths.find((length) => times.every((time) => time % length === 0)) ?? 1
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || (last - first) / step > 1000) return times
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, index) => first + index * step)
}

/** A row of the table: all figures of one version. */
export interface VersionTotals {
  version: string
  requests: number
  errors: number
  tokens: number
  /** Its models, the most used one first. */
  models: string[]
  cost: number
  latency: number | null
  p95: number | null
}

/** Combines the charts grouped by version, newest version first. */
export function versionTotals(charts: { requests?: Chart; errors?: Chart; tokens?: Chart; models?: Chart; cost?: Chart; latency?: Chart; p95?: Chart }): VersionTotals[] {
  return (charts.requests?.data ?? [])
    .map((row) => String(row.label))
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => ({
      version,
      requests: versionValue(charts.requests, version) ?? 0,
      errors: versionValue(charts.errors, version) ?? 0,
      tokens: versionValue(charts.tokens, version) ?? 0,
      models: modelsOf(charts.models, version),
      cost: versionValue(charts.cost, version) ?? 0,
      latency: versionValue(charts.latency, version),
      p95: versionValue(charts.p95, version),
    }))
}

/** The value of a version in a chart that is grouped by version, or null without one. */
export function versionValue(chart: Chart | undefined, version: string): number | null {
  const found = chart?.data.find((row) => String(row.label) === version)?.value
  return typeof found === 'number' ? found : null
}

/** The models of a version, the most used one first. */
function modelsOf(chart: Chart | undefined, version: string): string[] {
  return (chart?.data ?? [])
    .filter((row) => String(row.label) === version && Number(row.value) > 0)
    .sort((one, other) => Number(other.value) - Number(one.value))
    .map((row) => String(row.secondaryLabel))
}
