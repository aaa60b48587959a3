import { getCoreRowModel, useReactTable, type ColumnDef } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react'
import { cn } from '@/lib/cn'
import type { RequestItem } from '@/request/data'
import type { LogColumn } from './columns'
import { LogRow } from './log-row'
import type { Sort } from './search'
import type { Selected } from './selected'
import { useRows, type Log } from './use-log'

const rowHeight = 32
const checkWidth = 40

/** Moves down or up by one row. */
export type Step = (by: 1 | -1) => void

/** The rows of the log. Only visible rows are rendered, between two spacers. */
export function LogTable({ log, columns, open, cursor, onCursor, onOpen, onSort, onMove, selected, onSelect, stepRef }: {
  log: Log
  columns: LogColumn[]
  /** The request open in the panel. */
  open: number | undefined
  /** The index of the active row, or -1. */
  cursor: number
  onCursor: (index: number) => void
  onOpen: (item: RequestItem, index: number) => void
  onSort: (field: Sort) => void
  /** Moves a column to the position of another one. */
  onMove: (id: string, before: string) => void
  /** The ids of the selected requests; undefined if none can be selected. */
  selected: Selected | undefined
  onSelect: (id: number) => void
  /** Receives the function that moves to another row, for buttons elsewhere. */
  stepRef: Ref<Step>
}) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({ count: log.count, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 12 })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)
  const rowAt = useRows(log, first?.index ?? 0, last?.index ?? 0)
  // When the active row is not visible, Tab goes to the first visible one.
  const stop = rows.some(({ index }) => index === cursor) ? cursor : (rows.find(({ start }) => start >= (virtualizer.scrollOffset ?? 0))?.index ?? first?.index)
  const table = useColumns(columns)
  const width = columns.reduce((sum, column) => sum + column.width, selected === undefined ? 0 : checkWidth)
  useScrolling(log, box, cursor, virtualizer.scrollToIndex)
  const step: Step = (by) => {
    // A request opened by a link may be among the rows.
    const at = cursor >= 0 || open === undefined ? cursor : [...log.liveRows, ...log.firstPage].findIndex(({ id }) => id === open)
    const next = Math.max(0, Math.min(log.count - 1, at + by))
    const item = rowAt(next)
    if (open !== undefined && item !== undefined) onOpen(item, next)
    else onCursor(next)
  }
  useImperativeHandle(stepRef, () => step)
  const active = cursor < 0 ? undefined : rowAt(cursor)
  useKeys(step, log.count > 0, () => active !== undefined && onOpen(active, cursor), () => selected !== undefined && active !== undefined && onSelect(active.id))
  return (
    <div ref={box} tabIndex={-1} role="region" aria-label="Requests" className="min-h-0 flex-1 overflow-auto bg-surface focus-visible:-outline-offset-2" onScroll={(event) => log.setAtTop(event.currentTarget.scrollTop < rowHeight)}>
      <table aria-rowcount={log.total} aria-label="Requests" className="w-full table-fixed border-collapse text-left text-[13px]" style={{ minWidth: width }}>
        <colgroup>
          {selected !== undefined && <col style={{ width: checkWidth }} />}
          {columns.map((column) => <col key={column.id} style={column.grows ? { minWidth: column.width } : { width: column.width }} />)}
          {/* When no column grows, this one takes the remaining width. */}
          {columns.every((column) => !column.grows) && <col />}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-sunken text-xs text-dim shadow-[inset_0_-1px_0_var(--line)]">
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selected !== undefined && <th scope="col"><span className="sr-only">Selected</span></th>}
              {group.headers.map((header) => {
                const column = columns[header.index]
                return column && <Head key={header.id} column={column} log={log} onSort={onSort} onMove={onMove} />
              })}
              {columns.every((column) => !column.grows) && <td />}
            </tr>
          ))}
        </thead>
        <tbody>
          {first !== undefined && first.start > 0 && <tr aria-hidden style={{ height: first.start }} />}
          {rows.map((row) => {
            const item = rowAt(row.index)
            return (
              <LogRow
                // Counted from the first row that did not arrive live, so that new rows do not change the keys of others.
                key={row.index - log.liveRows.length}
                item={item}
                columns={columns}
                rowIndex={row.index}
                chosen={row.index === cursor}
                stop={row.index === stop}
                opened={item !== undefined && item.id === open}
                arrived={row.index < log.liveRows.length && (virtualizer.scrollOffset ?? 0) < rowHeight}
                selected={selected && (item !== undefined && selected.has(item.id))}
                onSelect={onSelect}
                onOpen={onOpen}
                onReach={onCursor}
              />
            )
          })}
          {last !== undefined && last.end < virtualizer.getTotalSize() && <tr aria-hidden style={{ height: virtualizer.getTotalSize() - last.end }} />}
        </tbody>
      </table>
      {log.total !== undefined && log.count < log.total && last?.index === log.count - 1 && (
        <p className="p-4 text-center text-faint">Showing the first {log.count.toLocaleString('en-US')}. Narrow the time range or the query to see others.</p>
      )}
    </div>
  )
}

function useColumns(columns: LogColumn[]) {
  const definitions = useMemo(() => columns.map((column): ColumnDef<RequestItem> => ({ id: column.id, header: column.header, size: column.width })), [columns])
  return useReactTable({ data: noRows, columns: definitions, getCoreRowModel: getCoreRowModel() })
}

// The virtualiser renders the rows; the table manages the columns.
const noRows: RequestItem[] = []

function Head({ column, log, onSort, onMove }: { column: LogColumn; log: Log; onSort: (field: Sort) => void; onMove: (id: string, before: string) => void }) {
  const { sort } = column
  const sorted = sort !== undefined && log.wanted.sort === sort ? log.wanted.order : undefined
  return (
    <th
      scope="col"
      aria-sort={sorted === undefined ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/column', column.id)}
      onDragOver={(event) => event.dataTransfer.types.includes('text/column') && event.preventDefault()}
      onDrop={(event) => onMove(event.dataTransfer.getData('text/column'), column.id)}
      className={cn('h-8 truncate px-2 font-medium first:pl-4 md:first:pl-5', column.right && 'text-right')}
    >
      {sort === undefined ? (
        column.header
      ) : (
        <button type="button" onClick={() => onSort(sort)} title={`Sort by ${column.header.toLowerCase()}`} className={cn('inline-flex items-center gap-1 rounded hover:text-ink', sorted && 'text-ink')}>
          {column.header}
          {sorted === 'asc' && <ArrowUp className="size-3" />}
          {sorted === 'desc' && <ArrowDown className="size-3" />}
        </button>
      )}
    </th>
  )
}

/** Scrolls to the top for a new query, and keeps the active row visible. */
function useScrolling(log: Log, box: React.RefObject<HTMLDivElement | null>, cursor: number, scrollToIndex: (index: number) => void) {
  const { query } = log
  useEffect(() => {
    box.current?.scrollTo({ top: 0 })
  }, [query, box])
  const scroll = useRef(scrollToIndex)
  useEffect(() => {
    scroll.current = scrollToIndex
  })
  useEffect(() => {
    if (cursor >= 0) scroll.current(cursor)
  }, [cursor])
}

/** Up, down, j and k move between rows; Enter opens the active one, and x selects it. */
function useKeys(step: Step, some: boolean, enter: () => void, select: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || !some || busyElsewhere(target)) return
      if (event.key === 'ArrowDown' || event.key === 'j') step(1)
      else if (event.key === 'ArrowUp' || event.key === 'k') step(-1)
      else if (event.key === 'Enter' && !/^(A|BUTTON|SUMMARY)$/.test(target.tagName)) enter()
      else if (event.key === 'x') select()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}

/** Reports whether the focused element handles keys itself. */
function busyElsewhere(target: HTMLElement): boolean {
  if (target.isContentEditable || target.closest('input,textarea,select,[role=menu],[role=alertdialog],[role=tablist],[role=listbox],.cm-editor') !== null) return true
  const dialog = target.closest('[role=dialog]')
  return dialog !== null && dialog.querySelector('[data-panel]') === null
}
