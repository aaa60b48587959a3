import { useState } from 'react'
import { columnWidths } from './value'

const sampleRows = 30

/**
 * Column widths that fit the first rows. They are measured once per set of
 * columns, so that columns do not move while scrolling or editing.
 */
export function useColumnWidths(columns: string[], valuesAt: (row: number) => unknown[] | undefined): number[] {
  const key = columns.join('\n')
  const [measured, setMeasured] = useState<{ key: string | null; rows: number; widths: number[] }>({ key: null, rows: 0, widths: [] })
  if (measured.key === key && (measured.rows > 0 || valuesAt(0) === undefined)) return measured.widths
  const rows = Array.from({ length: sampleRows }, (_, at) => valuesAt(at)).filter((values) => values !== undefined)
  const next = { key, rows: rows.length, widths: columnWidths(columns, rows) }
  setMeasured(next)
  return next.widths
}
