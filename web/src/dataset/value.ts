/** How cell values are formatted in a grid and parsed from typed text. */

/** The value in one line, as long as a cell can show. */
export function oneLine(value: unknown, most = 300): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return text.slice(0, most).replace(/\s+/g, ' ')
}

export type Kind = 'text' | 'json'

/** Text is edited as is, everything else as JSON. An empty cell starts as text. */
export function kindOf(value: unknown): Kind {
  return value === null || value === undefined || typeof value === 'string' ? 'text' : 'json'
}

/** The initial text of the cell editor. */
export function editable(value: unknown, kind: Kind): string {
  if (value === null || value === undefined) return ''
  if (kind === 'text') return typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value, null, 2)
}

/** Parses the typed value. Empty JSON is null. Throws an error for the user if the JSON is invalid. */
export function readTyped(text: string, kind: Kind): unknown {
  if (kind === 'text') return text
  if (text.trim() === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error('Invalid JSON. Put text in quotation marks: "like this".')
  }
}

/** Column widths in pixels that fit the first rows. */
export function columnWidths(columns: string[], rows: unknown[][]): number[] {
  return columns.map((name, at) => {
    const longest = rows.slice(0, 50).reduce((most, row) => Math.max(most, oneLine(row[at], 60).length), name.length + 1)
    return Math.round(Math.min(Math.max(longest * 7.2 + 24, 96), 380))
  })
}

/** The name of a dataset created from a file. */
export function nameOfFile(file: string): string {
  return file.replace(/\.(csv|json)$/i, '').replace(/[_-]+/g, ' ').trim() || file
}

/** The id of the request that a link in a cell leads to, or null. */
export function requestOf(value: unknown): number | null {
  const id = typeof value === 'string' ? /^\S*\/requests(?:\/|\?request=)(\d+)$/.exec(value)?.[1] : undefined
  return id === undefined ? null : Number(id)
}
