import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { CellValue } from '@/dataset/cell'
import { useColumnWidths } from '@/dataset/use-column-widths'
import type { Comparison } from '@/evaluation/data'
import { count } from '@/lib/format'
import { Button, Spinner } from '@/ui/button'
import { DataGrid } from '@/ui/data-grid'
import { EmptyState } from '@/ui/page'
import { useRunRows } from '../run/use-run-rows'
import { ChangedCell } from './changed-cell'
import { ComparedPanel } from './compared-panel'
import { useAllRows, useChangedRows } from './use-compared-rows'
import { hasOtherInput } from './verdict'

type ComparedRow = Comparison['rows'][number]

export function ComparedRows({ comparison, changed }: { comparison: Comparison; changed: boolean }) {
  return changed ? <ChangedRows comparison={comparison} /> : <AllRows comparison={comparison} />
}

function AllRows({ comparison }: { comparison: Comparison }) {
  const { total, rowAt, onRange } = useAllRows(comparison)
  if (total === 0) return <EmptyState title="No rows">Neither run has rows.</EmptyState>
  return <Grid comparison={comparison} total={total} rowAt={rowAt} onRange={onRange} />
}

function ChangedRows({ comparison }: { comparison: Comparison }) {
  const { rows, looked, busy, goOn } = useChangedRows(comparison)
  const rowAt = (index: number) => rows[index]
  return (
    <>
      <p role="status" className="flex items-center gap-3 border-b border-line px-4 py-1.5 text-[13px] text-dim">
        {busy && <Spinner />} {changedWords(rows)} in the first {count(looked)} of {count(comparison.total)}.
        {goOn && <Button small onClick={goOn}>Search more rows</Button>}
      </p>
      {rows.length === 0 ? (
        !busy && <EmptyState title="No changed rows">All cells have the same values in both runs.</EmptyState>
      ) : (
        <Grid comparison={comparison} total={rows.length} rowAt={rowAt} />
      )}
    </>
  )
}

function changedWords(rows: ComparedRow[]): string {
  const other = rows.filter(({ cells }) => hasOtherInput(cells)).length
  const changed = `${rows.length - other === 1 ? '1 row' : `${count(rows.length - other)} rows`} changed`
  return other === 0 ? changed : `${changed}, ${count(other)} with different input have different results`
}

// The number of dataset columns before the compared ones.
const contextColumns = 3

function Grid({ comparison, total, rowAt, onRange }: { comparison: Comparison; total: number; rowAt: (index: number) => ComparedRow | undefined; onRange?: (first: number, last: number) => void }) {
  const { row } = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const inputs = useRunRows(comparison.after.id, false)
  const { load, rowAt: inputAt } = inputs
  const given = useMemo(() => (inputs.columns ?? []).filter((_, at) => inputAt(0)?.[at]?.type === 'dataset'), [inputs.columns, inputAt])
  const shown = given.slice(0, contextColumns)
  const widths = useColumnWidths(shown, (index) => inputAt(index)?.map(({ value }) => value))
  const columns = [
    ...shown.map((name, at) => ({ name, width: Math.min(widths[at] ?? 160, 260), header: <span className="block truncate font-normal text-faint">{name}</span> })),
    ...comparison.columns.map(({ name }) => ({ name, width: 220 })),
  ]
  const range = useCallback(
    (first: number, last: number) => {
      onRange?.(first, last)
      load(Array.from({ length: last - first + 1 }, (_, at) => rowAt(first + at)?.position ?? first + at))
    },
    // Rows are loaded when they become visible.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [onRange, load],
  )
  const openRow = row === undefined || row > total ? null : row - 1
  const open = (index: number | null) => void navigate({ search: (old) => ({ ...old, row: index === null ? undefined : index + 1 }), replace: openRow !== null && index !== null, resetScroll: false })
  const opened = openRow === null ? undefined : rowAt(openRow)
  return (
    <>
      <DataGrid
        label="Compared rows"
        columns={columns}
        count={total}
        cell={(index, at) => {
          const found = rowAt(index)
          if (found === undefined) return <CellValue value={null} missing />
          if (at < shown.length) {
            const cells = inputAt(found.position)
            return <span className="text-dim"><CellValue value={cells?.[at]?.value} missing={cells === undefined} /></span>
          }
          const cell = found.cells[at - shown.length]
          return cell && <ChangedCell cell={cell} />
        }}
        rowHeader={(index) => count((rowAt(index)?.position ?? index) + 1)}
        onRange={range}
        onOpen={(place) => open(place.row)}
        start={openRow ?? undefined}
        selectedRow={openRow}
      />
      {openRow !== null && <ComparedPanel index={openRow} total={total} comparison={comparison} row={opened} given={given} inputs={opened && inputAt(opened.position)} onIndex={open} onClose={() => open(null)} />}
    </>
  )
}
