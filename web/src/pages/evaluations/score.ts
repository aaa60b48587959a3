import { isObject } from '@/lib/json'
/** Reads scores, whose format depends on how they were computed. */

export interface ColumnScore {
  name: string
  score: number | null
  /** What it is: a percentage of true values, or a mean. */
  type: 'boolean' | 'numeric' | null
  skipped: number
}

export interface Score {
  overall: number | null
  /** Whether it was computed by code. */
  custom: boolean
  columns: ColumnScore[]
  /** Named parts returned by code. */
  parts: { name: string; score: number }[]
  /** Why there is no score. */
  message: string | null
}

export function readScore(raw: unknown): Score | null {
  if (!isObject(raw)) return null
  const details = isObject(raw.details) ? raw.details : {}
  const columns = Array.isArray(details.columns) ? details.columns : 'column_name' in details ? [details] : []
  return {
    overall: numberOrNull(raw.overall_score),
    custom: raw.has_custom_scoring === true,
    columns: columns.filter(isObject).map(readColumn),
    parts: isObject(details.sub_scores) ? Object.entries(details.sub_scores).flatMap(([name, score]) => (typeof score === 'number' ? [{ name, score }] : [])) : [],
    message: typeof details.message === 'string' ? details.message : null,
  }
}

function readColumn(raw: Record<string, unknown>): ColumnScore {
  const type = raw.score_type === 'boolean' || raw.score_type === 'numeric' ? raw.score_type : null
  return { name: String(raw.column_name ?? ''), score: numberOrNull(raw.score), type, skipped: numberOrNull(raw.num_skipped) ?? 0 }
}

/** Formats a score: at most one decimal, or two below one. */
export function showScore(score: number | null | undefined): string {
  if (score === null || score === undefined) return '–'
  const digits = Math.abs(score) < 1 ? 2 : 1
  return String(Number(score.toFixed(digits)))
}

/** Formats a difference with its sign. */
export function showChange(change: number | null): string {
  if (change === null) return '–'
  const shown = showScore(change)
  return change > 0 && shown !== '0' ? `+${shown}` : shown.replace('-', '−')
}

interface MatrixCell {
  text: string
  number: number | null
  /** Whether more is better. */
  positive: boolean
}

export interface Matrix {
  title: string | null
  header: string[]
  rows: MatrixCell[][]
}

/** The tables returned by code. An extra cell at the start of the first row is the title. */
export function readMatrices(raw: unknown): Matrix[] {
  if (!Array.isArray(raw)) return []
  return raw.flatMap((matrix) => {
    if (!Array.isArray(matrix) || matrix.length === 0) return []
    const rows = matrix.filter(Array.isArray).map((row) => row.map(readCell))
    const [head = [], ...body] = rows
    const titled = body.length > 0 && body.every((row) => row.length === head.length - 1)
    return [{ title: titled ? (head[0]?.text ?? null) : null, header: (titled ? head.slice(1) : head).map(({ text }) => text), rows: body }]
  })
}

function readCell(raw: unknown): MatrixCell {
  const value: unknown = isObject(raw) ? raw.value : raw
  const positive = !(isObject(raw) && raw.positive_metric === false)
  if (typeof value === 'number') return { text: showScore(value), number: value, positive }
  return { text: value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value), number: null, positive }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
