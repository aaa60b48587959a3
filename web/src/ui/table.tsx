import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

export interface Column<Row> {
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Classes of its cells, such as `text-right tabular` or `hidden md:table-cell`. */
  className?: string
  /** The order of the rows, if they are sorted by it. */
  sorted?: 'ascending' | 'descending'
}

/**
 * A table for lists of up to a few hundred rows. The first cell holds the link
 * that opens a row; a click elsewhere in the row follows it.
 */
export function SimpleTable<Row>({ rows, columns, rowKey, onOpen, label, selected, scrolls }: {
  rows: Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  label: string
  selected?: (row: Row) => boolean
  /** Whether the keyboard can scroll it sideways: for wide tables with nothing to focus. */
  scrolls?: boolean
}) {
  return (
    <div className="relative overflow-x-auto" {...(scrolls && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      <table aria-label={label} className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-xs text-faint">
            {columns.map((column, index) => (
              <th key={index} scope="col" aria-sort={column.sorted} className={cn('px-4 py-2 font-medium whitespace-nowrap', column.className)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              aria-selected={selected?.(row)}
              onClick={onOpen && ((event) => {
                // Clicks in a menu or dialog opened from the row also arrive here.
                const target = event.target as Element
                if (event.currentTarget.contains(target) && !target.closest('a,button,input,select,label')) onOpen(row)
              })}
              className={cn('border-b border-line last:border-0', onOpen && 'cursor-pointer hover:bg-hover', selected?.(row) && 'bg-accent-soft hover:bg-accent-soft')}
            >
              {columns.map((column, index) => (
                <td key={index} className={cn('max-w-md truncate px-4 py-2', column.className)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The page navigation of a list. */
export function Pager({ page, pages, total, onPage, noun = 'entries' }: { page: number; pages: number; total: number; onPage: (page: number) => void; noun?: string }) {
  if (pages <= 1) return null
  const button = 'rounded border border-line-strong px-2 py-1 hover:bg-hover disabled:opacity-40'
  return (
    <nav aria-label="Pagination" className="flex items-center justify-end gap-3 px-4 py-2 text-[13px] text-dim">
      <span className="tabular">Page {page} of {pages}, {total.toLocaleString('en-US')} {noun}</span>
      <button type="button" className={button} disabled={page <= 1} onClick={() => onPage(page - 1)}>Previous</button>
      <button type="button" className={button} disabled={page >= pages} onClick={() => onPage(page + 1)}>Next</button>
    </nav>
  )
}
