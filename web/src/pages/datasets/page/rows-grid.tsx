import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { CellValue } from '@/dataset/cell'
import { rowsPerPage } from '@/dataset/data'
import { useColumnWidths } from '@/dataset/use-column-widths'
import { count } from '@/lib/format'
import { DataGrid, type Place } from '@/ui/data-grid'
import { Checkbox } from '@/ui/field'
import { Pager } from '@/ui/table'
import { CellEditor, type Outcome } from './cell-editor'
import type { Row } from './use-rows'

// Browsers limit the height of elements, so very long datasets are shown in
// parts.
const partRows = 400_000

/** The state needed to edit a draft; without it the grid is read-only. */
interface Editing {
  setCell: (row: string, column: string, value: unknown) => void
  chosen: Set<string>
  onChosen: (chosen: Set<string>) => void
  /** The index of the last added row; its first cell is edited immediately. */
  added: number | null
}

export function RowsGrid({ columns, total, rowAt, onRange, page, onPage, openRow, onOpen, editing, label }: {
  columns: string[]
  total: number
  rowAt: (index: number) => Row | undefined
  onRange: (first: number, last: number) => void
  /** The page of rows at the top, from 1. */
  page: number
  onPage: (page: number) => void
  /** The index of the row open beside the grid. */
  openRow: number | null
  onOpen: (place: Place) => void
  editing?: Editing
  label: string
}) {
  const [top, setTop] = useState(() => (openRow === null ? (page - 1) * rowsPerPage : Math.max(openRow - 4, 0)))
  const part = Math.min(Math.floor(top / partRows), Math.max(Math.ceil(total / partRows) - 1, 0))
  const offset = part * partRows
  const added = editing?.added ?? null
  // The grid appears with the first row.
  const [edited, setEdited] = useState<(Place & { typed?: string }) | null>(added === 0 && total === 1 ? { row: 0, column: 0 } : null)
  const [shownRow, setShownRow] = useState(openRow)
  if (shownRow !== openRow) {
    // Moving between rows in the panel scrolls the grid.
    setShownRow(openRow)
    if (openRow !== null) setTop(openRow)
  }
  const [seenAdded, setSeenAdded] = useState(added)
  if (seenAdded !== added) {
    setSeenAdded(added)
    if (added !== null) {
      setTop(added)
      setEdited({ row: added % partRows, column: 0 })
    }
  }
  const widths = useColumnWidths(columns, (row) => rowAt(row)?.values)
  const reportPage = useLater(onPage)
  const range = useCallback(
    (first: number, last: number, topRow: number) => {
      onRange(offset + first, offset + last)
      reportPage(Math.floor((offset + topRow) / rowsPerPage) + 1)
    },
    [onRange, offset, reportPage],
  )
  const endEdit = (row: Row | undefined, place: Place, { then, change }: Outcome) => {
    const column = columns[place.column]
    if (change && row?.id !== undefined && column !== undefined) editing?.setCell(row.id, column, change.value)
    setEdited(null)
    if (then === 'leave') return
    // At the last row or column the focus stays.
    const next = { row: Math.min(place.row + (then === 'down' ? 1 : 0), total - offset - 1), column: Math.min(place.column + (then === 'next' ? 1 : 0), columns.length - 1) }
    // Before the editor is removed, so that the next key already goes to the grid.
    document.querySelector<HTMLElement>(`[data-place="${next.row},${next.column}"]`)?.focus()
  }
  const cell = (row: number, column: number) => {
    const found = rowAt(offset + row)
    if (edited?.row === row && edited.column === column && found) {
      return <CellEditor label={`${columns[column] ?? ''} of row ${offset + row + 1}`} value={found.values[column]} typed={edited.typed} onEnd={(outcome) => endEdit(found, { row, column }, outcome)} />
    }
    return <CellValue value={found?.values[column]} missing={found === undefined} />
  }
  const parts = Math.ceil(total / partRows)
  return (
    <>
      <DataGrid
        key={part}
        label={label}
        columns={columns.map((name, at) => ({ name, width: widths[at] ?? 160 }))}
        count={Math.min(total - offset, partRows)}
        headerWidth={editing ? 76 : Math.max(44, String(total).length * 9 + 20)}
        cell={cell}
        rowHeader={(row) => <RowHeader number={offset + row + 1} id={rowAt(offset + row)?.id} editing={editing} onOpen={() => onOpen({ row: offset + row, column: 0 })} />}
        onRange={range}
        onOpen={editing ? undefined : ({ row, column }) => onOpen({ row: offset + row, column })}
        onEdit={editing && ((place, typed) => setEdited({ ...place, typed }))}
        start={Math.max(top - offset, 0)}
        selectedRow={openRow === null ? null : openRow - offset}
      />
      <Pager page={part + 1} pages={parts} total={total} noun="rows" onPage={(next) => setTop((next - 1) * partRows)} />
    </>
  )
}

function RowHeader({ number, id, editing, onOpen }: { number: number; id: string | undefined; editing?: Editing; onOpen: () => void }) {
  if (!editing || id === undefined) return count(number)
  const toggle = (on: boolean) => {
    const chosen = new Set(editing.chosen)
    if (on) chosen.add(id)
    else chosen.delete(id)
    editing.onChosen(chosen)
  }
  return (
    <span className="flex items-center justify-between gap-1.5">
      <Checkbox aria-label={`Select row ${number}`} checked={editing.chosen.has(id)} onChange={(event) => toggle(event.target.checked)} />
      <button type="button" title={`Open row ${number}`} onClick={onOpen} className="rounded px-1 hover:text-ink hover:underline">{count(number)}</button>
    </span>
  )
}

/** Debounces a function. */
function useLater(onSettled: (value: number) => void, delay = 400) {
  const [value, setValue] = useState<number | null>(null)
  const settle = useEffectEvent(onSettled)
  useEffect(() => {
    if (value === null) return
    const timer = setTimeout(() => settle(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return setValue
}
