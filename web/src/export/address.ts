/** What is exported. */
export interface ExportSource {
  /** The path of the operation. */
  path: string
  workspace: number
  /** Further parameters, such as the query. Those that are undefined are left out. */
  parameters?: Record<string, string | number | boolean | undefined>
  /** The columns that can be chosen, in the order of the file. Without any, all columns are exported. */
  columns: string[]
  /** What a saved export of it is about, if there can be one: the source, and the query as JSON. */
  scheduled?: { source: ScheduledSource; query: string }
}

/** What saved exports can be about. */
export const scheduledSources = ['requests', 'traces', 'dataset', 'evaluation', 'audit'] as const
export type ScheduledSource = (typeof scheduledSources)[number]

export type Format = 'jsonl' | 'csv' | 'parquet'
export type Compression = 'none' | 'gzip' | 'zstd'

/** How the file is written. */
export interface ExportChoice {
  format: Format
  compression: Compression
  /** The chosen columns. */
  columns: ReadonlySet<string>
  keepFormulas: boolean
}

/** The server refuses longer addresses. */
export const longestAddress = 60_000

/**
 * The address of the file. It is a plain link, so that the browser saves the file
 * while it arrives, whatever its size.
 */
export function exportAddress({ path, workspace, parameters = {}, columns }: ExportSource, choice: ExportChoice): string {
  const query = new URLSearchParams({ workspace_id: String(workspace), format: choice.format, compression: choice.compression })
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value))
  }
  const chosen = columns.filter((name) => choice.columns.has(name))
  if (chosen.length < columns.length) query.set('columns', chosen.join(','))
  if (choice.format === 'csv' && choice.keepFormulas) query.set('formulas', 'keep')
  return `${path}?${query.toString()}`
}
