/** How the values of cells are written in a grid and read from what is typed. */

/** The value in one line, as long as a cell can show. */
export function oneLine(value: unknown, most = 300): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return text.slice(0, most).replace(/\s+/g, ' ')
}

export type Kind = 'text' | 'json'

/** Texts are edited as they are, everything else as JSON. A cell without a value begins as a text. */
export function kindOf(value: unknown): Kind {
  return value === null || value === undefined || typeof value === 'string' ? 'text' : 'json'
}

/** What the editor of a cell begins with. */
export function editable(value: unknown, kind: Kind): string {
  if (value === null || value === undefined) return ''
  if (kind === 'text') return typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value, null, 2)
}

/** The value that was typed. Nothing typed as JSON is null. Throws words for people when it is no JSON. */
export function readTyped(text: string, kind: Kind): unknown {
  if (kind === 'text') return text
  if (text.trim() === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error('This is not JSON. Texts stand in quotes: "like this".')
  }
}

/** Widths of columns that fit what the first rows hold, in pixels. */
export function columnWidths(columns: string[], rows: unknown[][]): number[] {
  return columns.map((name, at) => {
    const longest = rows.slice(0, 50).reduce((most, row) => Math.max(most, oneLine(row[at], 60).length), name.length + 1)
    return Math.round(Math.min(Math.max(longest * 7.2 + 24, 96), 380))
  })
}

/** The name that a dataset made from a file gets. */
export function nameOfFile(file: string): string {
  return file.replace(/\.(csv|json)$/i, '').replace(/[_-]+/g, ' ').trim() || file
}
