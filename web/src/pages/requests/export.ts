import { api, call } from '@/api/client'
import type { RequestItem } from '@/request/data'
import { metadataOf, searchBody, type LogQuery } from './log-query'

/** The limit of an export in the browser. Use the API for more. */
export const mostExported = 5000

/** Loads the first rows of a list, a few pages at a time. */
export async function fetchRows(log: LogQuery, total: number, onProgress: (done: number) => void, signal: AbortSignal): Promise<RequestItem[]> {
  const pages = Math.ceil(Math.min(total, mostExported) / 25)
  const found: RequestItem[][] = []
  let next = 1
  const work = async () => {
    while (next <= pages) {
      const page = next++
      const answer = await call(api.POST('/api/public/v2/requests/search', { body: { ...searchBody(log), page, per_page: 25, include_prompt_name: true }, signal }))
      found[page - 1] = answer.items
      onProgress(found.reduce((sum, items) => sum + items.length, 0))
    }
  }
  await Promise.all([work(), work(), work()])
  return found.flat().slice(0, mostExported)
}

const fixed = ['id', 'request_start_time', 'status', 'provider_type', 'engine', 'prompt_name', 'prompt_version_number', 'input_tokens', 'output_tokens', 'price', 'latency', 'error_type', 'error_message'] as const

/** The rows as CSV, with a column for each field, score and metadata key. */
export function toCsv(rows: RequestItem[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(metadataOf(row))))].sort()
  const scores = [...new Set(rows.flatMap((row) => row.scores.map(({ name }) => name)))].sort()
  const lines = rows.map((row) => {
    const metadata = metadataOf(row)
    return [
      ...fixed.map((name) => row[name]), row.tags_array.join(' '),
      ...scores.map((name) => row.scores.find((score) => score.name === name)?.score), ...keys.map((key) => metadata[key]),
    ]
  })
  return [[...fixed, 'tags', ...scores.map((name) => `score.${name}`), ...keys.map((key) => `metadata.${key}`)], ...lines].map((line) => line.map(cell).join(',')).join('\r\n') + '\r\n'
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Spreadsheets would execute text that starts like a formula.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? "'" + text : text
  return /[",\r\n]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe
}
