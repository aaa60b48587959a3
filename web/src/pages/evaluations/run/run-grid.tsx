import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RotateCcw, Star } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useSession } from '@/api/session'
import { CellValue } from '@/dataset/cell'
import { useColumnWidths } from '@/dataset/use-column-widths'
import type { Column, Report } from '@/evaluation/data'
import { count } from '@/lib/format'
import { IconButton } from '@/ui/button'
import { DataGrid } from '@/ui/data-grid'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { showScore } from '../score'
import { useDisagreements } from './agreement'
import { CellState } from './cell-state'
import { useRememberedWidths } from './remembered-widths'
import { RunRowPanel } from './run-row-panel'
import { usageQuery, type ColumnUsage } from './usage'
import { showSpent, showVersions } from './usage-text'
import { useRunRows } from './use-run-rows'

/** The cells of a run: dataset columns first, then computed ones. */
export function RunGrid({ run }: { run: Report }) {
  const only = useDisagreements(run)
  if (only?.length === 0) return <EmptyState title="No rows">The judge and people agree on all rows that both have judged.</EmptyState>
  return <Cells key={only === undefined ? 'all' : 'some'} run={run} only={only} />
}

/** All cells, or only those of some rows. */
function Cells({ run, only }: { run: Report; only: number[] | undefined }) {
  const { row } = useSearch({ from: '/$workspace/evaluations/$evaluation' })
  const navigate = useNavigate({ from: '/$workspace/evaluations/$evaluation' })
  const { columns, total: all, rowAt, onRange, load, error, retry } = useRunRows(run.report.id, run.status !== 'COMPLETED')
  const [column, setColumn] = useState<number | null>(null)
  const described = useMemo(() => new Map(run.report_columns.map((one) => [one.name, one])), [run.report_columns])
  const widths = useColumnWidths(columns ?? [], (index) => rowAt(index)?.map(({ value }) => value))
  const { workspace_id: workspace } = useSession()
  const usage = useQuery(usageQuery(workspace, run.report.id, run.status === 'RUNNING')).data?.columns
  const { widths: chosen, setWidth, reset } = useRememberedWidths(workspace, run.report.parent_report_id ?? 0)
  const resized = columns?.some((name) => chosen.has(name)) ?? false
  const range = useCallback((first: number, last: number) => (only === undefined ? onRange(first, last) : load(only.slice(first, last + 1))), [only, onRange, load])
  if (error) return <ErrorState error={error} retry={retry} />
  if (columns === undefined) return <Loading />
  if (all === 0) return <EmptyState title="No rows">The dataset of this run has no rows.</EmptyState>
  const total = only?.length ?? all
  const positionOf = (index: number) => (only === undefined ? index : (only[index] ?? 0))
  const openRow = row === undefined || row > all ? null : indexOf(row - 1, only)
  const open = (index: number | null) => void navigate({ search: (old) => ({ ...old, row: index === null ? undefined : positionOf(index) + 1 }), replace: openRow !== null && index !== null, resetScroll: false })
  return (
    <>
      <DataGrid
        label={`Cells of run ${run.report.name}`}
        columns={columns.map((name, at) => ({ name, width: chosen.get(name) ?? widthOf(widths[at] ?? 160, described.get(name)), header: <Heading name={name} column={described.get(name)} usage={usage?.find((one) => one.name === name)} /> }))}
        count={total}
        headerHeight={46}
        corner={resized ? <IconButton small label="Reset column widths" onClick={reset}><RotateCcw /></IconButton> : undefined}
        onResize={setWidth}
        keepWidths={resized}
        cell={(index, at) => {
          const cell = rowAt(positionOf(index))?.[at]
          return cell === undefined ? <CellValue value={null} missing /> : cell.type === 'eval' ? <CellState cell={cell} /> : <CellValue value={cell.value} />
        }}
        rowHeader={(index) => count(positionOf(index) + 1)}
        onRange={range}
        onOpen={(place) => {
          setColumn(place.column)
          open(place.row)
        }}
        start={openRow ?? undefined}
        selectedRow={openRow}
      />
      {openRow !== null && <RunRowPanel run={run.report.id} index={openRow} number={only && positionOf(openRow) + 1} total={total} cells={rowAt(positionOf(openRow))} columns={columns} described={described} column={column} onIndex={open} onClose={() => open(null)} />}
    </>
  )
}

/** The place of a row in the list, or null if it is not listed. */
function indexOf(position: number, only: number[] | undefined): number | null {
  const index = only === undefined ? position : only.indexOf(position)
  return index < 0 ? null : index
}

/** Dataset columns are narrow, so that computed ones are visible. */
function widthOf(wanted: number, column: Column | undefined): number {
  return column === undefined || column.column_type === 'DATASET' ? Math.min(wanted, 190) : Math.min(Math.max(wanted, 130), 320)
}

function Heading({ name, column, usage }: { name: string; column: Column | undefined; usage: ColumnUsage | undefined }) {
  const spent = usage === undefined ? [] : [showSpent(usage), showVersions(usage.prompts, usage.workflows)].filter((part) => part !== '')
  const computed = column !== undefined && column.column_type !== 'DATASET'
  return (
    <span className="flex flex-col leading-tight">
      <span className="flex items-center gap-1">
        {column?.is_part_of_score && <Star className="size-3 shrink-0 text-accent-ink" aria-label="Part of the score" />}
        <span className={computed ? 'truncate text-ink' : 'truncate'}>{name}</span>
      </span>
      <span className="truncate text-[11px] font-normal text-faint">{computed ? [column.score === null ? 'computed' : `score ${showScore(column.score)}`, ...spent].join(' · ') : 'dataset'}</span>
    </span>
  )
}
