import type { Format } from './address'

/** The formats of exports, in the order in which they are offered. */
export const formats: { value: Format; label: string }[] = [{ value: 'jsonl', label: 'JSON lines' }, { value: 'csv', label: 'CSV' }, { value: 'parquet', label: 'Parquet' }]

/** What the formats are good for. */
export const formatHints: Record<Format, string> = {
  jsonl: 'One JSON object per line. Requests in this format can be imported again.',
  csv: 'A table for spreadsheets. Lists and objects are JSON.',
  parquet: 'A table with types for DuckDB, Spark, pandas and others.',
}
