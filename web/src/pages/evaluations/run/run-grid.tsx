import { useNavigate, useSearch } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { useMemo, useState } from 'react'
import { CellValue } from '@/dataset/cell'
import { useColumnWidths } from '@/dataset/use-column-widths'
import type { Column, Report } from '@/evaluation/data'
import { count } from '@/lib/format'
import { DataGrid } from '@/ui/data-grid'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { showScore } from '../score'
import { CellState } from './cell-state'
import { RunRowPanel } from './run-row-panel'
import { useRunRows } from './use-run-rows'

/** The cells of a run: dataset columns first, then computed ones. */
export function RunGrid({ run }: { run: Report }) {
  const { row } = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const { columns, total, rowAt, onRange, error, retry } = useRunRows(run.report.id, run.status === 'RUNNING')
  const [column, setColumn] = useState<number | null>(null)
  const described = useMemo(() => new Map(run.report_columns.map((one) => [one.name, one])), [run.report_columns])
  const widths = useColumnWidths(columns ?? [], (index) => rowAt(index)?.map(({ value }) => value))
  if (error) return <ErrorState error={error} retry={retry} />
  if (columns === undefined) return <Loading />
  if (total === 0) return <EmptyState title="No rows">The dataset of this run has no rows.</EmptyState>
  const openRow = row === undefined || row > total ? null : row - 1
  const open = (index: number | null) => void navigate({ search: (old) => ({ ...old, row: index === null ? undefined : index + 1 }), replace: openRow !== null && index !== null, resetScroll: false })
  return (
    <>
      <DataGrid
        label={`Cells of run ${run.report.name}`}
        columns={columns.map((name, at) => ({ name, width: widthOf(widths[at] ?? 160, described.get(name)), header: <Heading name={name} column={described.get(name)} /> }))}
        count={total}
        headerHeight={46}
        cell={(index, at) => {
          const cell = rowAt(index)?.[at]
          return cell === undefined ? <CellValue value={null} missing /> : cell.type === 'eval' ? <CellState cell={cell} /> : <CellValue value={cell.value} />
        }}
        rowHeader={(index) => count(index + 1)}
        onRange={onRange}
        onOpen={(place) => {
          setColumn(place.column)
          open(place.row)
        }}
        start={openRow ?? undefined}
        selectedRow={openRow}
      />
      {openRow !== null && <RunRowPanel index={openRow} total={total} cells={rowAt(openRow)} columns={columns} described={described} column={column} onIndex={open} onClose={() => open(null)} />}
    </>
  )
}

/** Dataset columns are narrow, so that computed ones are visible. */
function widthOf(wanted: number, column: Column | undefined): number {
  return column === undefined || column.column_type === 'DATASET' ? Math.min(wanted, 190) : Math.min(Math.max(wanted, 130), 320)
}

function Heading({ name, column }: { name: string; column: Column | undefined }) {
  const computed = column !== undefined && column.column_type !== 'DATASET'
  return (
    <span className="flex flex-col leading-tight">
      <span className="flex items-center gap-1">
        {column?.is_part_of_score && <Star className="size-3 shrink-0 text-accent-ink" aria-label="Part of the score" />}
        <span className={computed ? 'truncate text-ink' : 'truncate'}>{name}</span>
      </span>
      <span className="truncate text-[11px] font-normal text-faint">{computed ? (column.score === null ? 'computed' : `score ${showScore(column.score)}`) : 'dataset'}</span>
    </span>
  )
}
