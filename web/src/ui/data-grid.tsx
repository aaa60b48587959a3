import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ColumnResizer } from './column-resizer'

interface GridColumn {
  name: string
  /** Shown instead of the name. */
  header?: ReactNode
  width: number
}

export interface Place {
  row: number
  column: number
}

interface DataGridProps {
  label: string
  columns: GridColumn[]
  /** The total number of rows, loaded or not. */
  count: number
  /** Renders a cell. Rows that are not loaded yet show the caller's placeholder. */
  cell: (row: number, column: number) => ReactNode
  /** Rendered before the cells of a row, and in the header above. */
  rowHeader: (row: number) => ReactNode
  corner?: ReactNode
  headerWidth?: number
  rowHeight?: number
  headerHeight?: number
  /** Called with the rendered rows, so that the caller can load them, and with the first visible one. */
  onRange: (first: number, last: number, top: number) => void
  /** A click on a cell, or Enter. */
  onOpen?: (place: Place) => void
  /** A double click or F2 on a cell, the first character typed there, or Enter when nothing opens. */
  onEdit?: (place: Place, typed?: string) => void
  /** A column was resized; null fits it to its content. Without it, columns cannot be resized. */
  onResize?: (name: string, width: number | null) => void
  /** Whether the last column keeps its width instead of taking the remaining one. */
  keepWidths?: boolean
  /** The row at the top when the grid is first shown, and the row to scroll to when it changes. */
  start?: number
  selectedRow?: number | null
  className?: string
}

/**
 * A table with any number of rows and columns that renders only the visible
 * ones. Arrow keys move between cells.
 */
export function DataGrid(props: DataGridProps) {
  const { label, columns, count, rowHeader, corner, headerWidth = 56, rowHeight = 34, headerHeight = 34, onRange, onResize, keepWidths = false, start, className } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Place>({ row: start ?? 0, column: 0 })
  const rows = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12, paddingStart: headerHeight, scrollPaddingStart: headerHeight, initialOffset: (start ?? 0) * rowHeight })
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const top = Math.min(Math.floor((rows.scrollOffset ?? 0) / rowHeight), last)
  useEffect(() => {
    if (count > 0) onRange(first, last, top)
  }, [count, first, last, top, onRange])
  useEffect(() => {
    if (start !== undefined) rows.scrollToIndex(start, { align: 'auto' })
    // Only when a different row should be shown, not whenever the virtualiser changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [start])
  const { selectedRow = null } = props
  const lastSelected = useRef(selectedRow)
  useEffect(() => {
    // The panel beside the grid was closed: return the focus to its row.
    if (selectedRow === null && lastSelected.current !== null) focusSoon(scroller, { row: lastSelected.current, column: active.column })
    lastSelected.current = selectedRow
  }, [selectedRow, active.column])
  const move = (place: Place) => {
    const next = { row: clamp(place.row, count), column: clamp(place.column, columns.length) }
    setActive(next)
    rows.scrollToIndex(next.row, { align: 'auto' })
    focusSoon(scroller, next)
    // Whatever is open beside the grid follows.
    if (selectedRow !== null && next.row !== selectedRow) props.onOpen?.(next)
  }
  const onKeyDown = (event: KeyboardEvent) => handleKey(event, { ...props, active, move, page: Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2, 1) })
  const before = (items[0]?.start ?? headerHeight) - headerHeight
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = columns.reduce((sum, column) => sum + column.width, headerWidth)
  const tabRow = active.row >= first && active.row <= last ? active.row : first
  return (
    <div ref={scroller} className={cn('min-h-0 flex-1 overflow-auto bg-surface', className)}>
      <table role="grid" aria-label={label} aria-rowcount={count + 1} aria-colcount={columns.length + 1} onKeyDown={onKeyDown} style={{ width }} className={cn('table-fixed border-separate border-spacing-0 text-left text-[13px]', !keepWidths && 'min-w-full')}>
        <colgroup>
          <col style={{ width: headerWidth }} />
          {/* The last column takes the remaining width. */}
          {columns.map((column, at) => <col key={column.name} style={at === columns.length - 1 && !keepWidths ? undefined : { width: column.width }} />)}
        </colgroup>
        <thead className="sticky top-0 z-20">
          <tr aria-rowindex={1} style={{ height: headerHeight }} className="text-xs text-dim">
            <th scope="col" className="sticky left-0 z-10 border-r border-b border-line bg-sunken px-2 text-right font-medium">{corner ?? <span className="sr-only">Row</span>}</th>
            {columns.map((column) => (
              <th key={column.name} scope="col" title={column.name} className={cn('overflow-hidden border-r border-b border-line bg-sunken px-2.5 font-medium', onResize && 'relative')}>
                {column.header ?? <span className="block truncate">{column.name}</span>}
                {onResize && <ColumnResizer name={column.name} width={column.width} onWidth={(next) => onResize(column.name, next)} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden><td style={{ height: before }} /></tr>}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} aria-selected={selectedRow === index} style={{ height: rowHeight }} className={cn('group/row', selectedRow === index ? 'bg-accent-soft' : 'hover:bg-hover')}>
              <th scope="row" className={cn('tabular sticky left-0 z-10 border-r border-b border-line px-2 text-right font-normal text-faint', selectedRow === index ? 'bg-accent-soft' : 'bg-surface group-hover/row:bg-hover')}>{rowHeader(index)}</th>
              {columns.map((column, at) => (
                <Cell key={column.name} {...props} place={{ row: index, column: at }} tabbable={index === tabRow && at === active.column} onFocus={setActive} />
              ))}
            </tr>
          ))}
          {after > 0 && <tr aria-hidden><td style={{ height: after }} /></tr>}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ place, cell, onOpen, onEdit, tabbable, onFocus }: DataGridProps & { place: Place; tabbable: boolean; onFocus: (place: Place) => void }) {
  return (
    <td
      role="gridcell"
      data-place={`${place.row},${place.column}`}
      tabIndex={tabbable ? 0 : -1}
      onFocus={() => onFocus(place)}
      onClick={(event) => event.target instanceof Element && event.target.closest('textarea,button,a,input') === null && onOpen?.(place)}
      onDoubleClick={() => onEdit?.(place)}
      className={cn('relative border-r border-b border-line px-2.5 outline-offset-[-2px]', onOpen && 'cursor-pointer')}
    >
      {cell(place.row, place.column)}
    </td>
  )
}

interface KeyContext extends DataGridProps {
  active: Place
  move: (place: Place) => void
  page: number
}

function handleKey(event: KeyboardEvent, { active, move, page, count, columns, onOpen, onEdit }: KeyContext) {
  // Only keys meant for the cell, not those typed into a control inside it.
  if (!(event.target instanceof HTMLElement) || event.target.dataset.place === undefined) return
  const { row, column } = active
  const end = event.ctrlKey || event.metaKey
  const steps: Record<string, Place> = {
    ArrowDown: { row: end ? count - 1 : row + 1, column }, ArrowUp: { row: end ? 0 : row - 1, column },
    ArrowRight: { row, column: end ? columns.length - 1 : column + 1 }, ArrowLeft: { row, column: end ? 0 : column - 1 },
    PageDown: { row: row + page, column }, PageUp: { row: row - page, column },
    Home: { row: end ? 0 : row, column: 0 }, End: { row: end ? count - 1 : row, column: columns.length - 1 },
  }
  const step = steps[event.key]
  if (step !== undefined) move(step)
  else if (event.key === 'Enter' && onOpen) onOpen(active)
  else if ((event.key === 'F2' || event.key === 'Enter') && onEdit) onEdit(active)
  else if (onEdit && event.key.length === 1 && !end && !event.altKey && event.key !== ' ') onEdit(active, event.key)
  else return
  event.preventDefault()
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1))
}

/** Focuses a cell once it is rendered, which may take a moment after scrolling. */
function focusSoon(scroller: React.RefObject<HTMLDivElement | null>, { row, column }: Place, tries = 5) {
  requestAnimationFrame(() => {
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-place="${row},${column}"]`)
    if (cell) {
      cell.focus({ preventScroll: true })
      cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else if (tries > 0) focusSoon(scroller, { row, column }, tries - 1)
  })
}
