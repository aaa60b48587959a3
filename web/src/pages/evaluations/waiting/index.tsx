import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { openCellsQuery, reportQuery, rowsPerPage, rowsQuery, type OpenCell } from '@/evaluation/data'
import { IconButton } from '@/ui/button'
import { BackLink, EmptyState, ErrorState, LoadError, Loading, Page } from '@/ui/page'
import { AnswerForm } from '../run/answer-form'
import { FullCell } from '../run/cell-state'

/** The cells of all runs that wait for an answer, one at a time. An answer leads to the next one. */
export default function WaitingPage() {
  const { workspace_id: workspace } = useSession()
  const [index, setIndex] = useState(0)
  const { data, error, refetch } = useQuery(openCellsQuery(workspace))
  return (
    <Page title="Waiting for people" lead={<BackLink to="/$workspace/evaluations">Evaluations</BackLink>}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : data === undefined ? <Loading /> : <Cells cells={data.items} total={data.total} index={index} onIndex={setIndex} />}
    </Page>
  )
}

function Cells({ cells, total, index, onIndex }: { cells: OpenCell[]; total: number; index: number; onIndex: (index: number) => void }) {
  const at = Math.min(index, cells.length - 1)
  const cell = cells[at]
  if (cell === undefined) return <EmptyState title="Nothing to answer" icon={<UserRound />}>Cells of evaluation runs that wait for you will appear here.</EmptyState>
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4 py-2 text-[13px]">
        <IconButton small label="Previous cell" disabled={at === 0} onClick={() => onIndex(at - 1)}><ChevronLeft /></IconButton>
        <span className="tabular text-dim">{at + 1} of {total}</span>
        <IconButton small label="Next cell" disabled={at + 1 >= cells.length} onClick={() => onIndex(at + 1)}><ChevronRight /></IconButton>
      </div>
      <Cell key={`${cell.run_id} ${cell.position} ${cell.column_id}`} cell={cell} />
    </>
  )
}

/** Focuses the first control of the form that has appeared, so that one can answer cell after cell with the keyboard. */
function focusFirst(section: HTMLElement | null) {
  section?.querySelector<HTMLElement>('input, textarea, button')?.focus()
}

/** A cell with the other values of its row. */
function Cell({ cell }: { cell: OpenCell }) {
  const { workspace_id } = useSession()
  const report = useQuery(reportQuery(workspace_id, cell.run_id))
  const page = useQuery(rowsQuery(workspace_id, cell.run_id, Math.floor(cell.position / rowsPerPage) + 1, false))
  const failed = report.error ?? page.error
  if (failed) return <LoadError what="row" error={failed} retry={() => void Promise.all([report.refetch(), page.refetch()])} />
  const column = report.data?.report_columns.find(({ id }) => id === cell.column_id)
  const row = page.data?.rows[cell.position % rowsPerPage]
  if (column === undefined || row === undefined) return <Loading />
  // People judge on their own, unless the question comes after the judge.
  const hidden = new Set(report.data?.report_columns.filter(({ column_type, position }) => column_type === 'LLM_ASSERTION' && position > column.position).map(({ name }) => name))
  return (
    <div className="grid max-w-5xl gap-6 p-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <section aria-label="Values of the row">
        <h2 className="mb-2 text-[13px] text-dim">
          Row {cell.position + 1} of{' '}
          <Link to="/$workspace/evaluations/$evaluation" params={{ workspace: String(workspace_id), evaluation: String(cell.report_id) }} search={{ run: cell.run_id, row: cell.position + 1 }} className="underline hover:text-ink">
            {cell.run_name}
          </Link>
        </h2>
        <dl className="flex flex-col gap-3">
          {page.data?.columns.map((name, i) => {
            const value = row[i]
            return value === undefined || value.status === 'WAITING' || hidden.has(name) ? null : (
              <div key={name}>
                <dt className="mb-1 text-xs font-medium text-faint">{name}</dt>
                <dd><FullCell cell={value} /></dd>
              </div>
            )
          })}
        </dl>
      </section>
      <section ref={focusFirst} aria-label="Answer">
        <h2 className="mb-2 text-xs font-medium text-faint">{cell.column_name}</h2>
        <AnswerForm run={cell.run_id} position={cell.position} column={column} />
      </section>
    </div>
  )
}
