import { ChevronRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Report } from '@/evaluation/data'
import { cn } from '@/lib/cn'
import { readMatrices, readScore, showScore, type Matrix } from '../score'

/** The score of a run, those of its columns, and the tables from code. */
export function ScoreStrip({ run }: { run: Report }) {
  const { report, report_columns: columns } = run
  const score = readScore(report.score)
  const matrices = readMatrices(report.score_matrix)
  const [open, setOpen] = useState(false)
  const scored = columns.filter((column) => column.score !== null)
  return (
    <section aria-label="Score" className="border-b border-line bg-surface">
      <div className="flex items-stretch gap-5 overflow-x-auto px-4 py-2.5" tabIndex={0} role="group" aria-label="Scores">
        <div className="shrink-0">
          <p className="text-xs text-faint">{score?.custom ? 'Score from code' : 'Score'}</p>
          <p className="tabular text-2xl leading-8 font-semibold">{showScore(score?.overall)}</p>
        </div>
        {score?.parts.map((part) => <ColumnScore key={part.name} name={part.name} score={part.score} note="from code" counts />)}
        {scored.map((column) => (
          <ColumnScore key={column.id} name={column.name} score={column.score} counts={column.is_part_of_score} note={column.is_part_of_score ? 'part of the score' : 'not part of the score'} />
        ))}
        {score?.overall == null && !report.score_calculation_error && <p className="self-center text-dim">{score?.message ?? 'No column has numbers or true and false values.'}</p>}
        {matrices.length > 0 && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="ml-auto flex shrink-0 items-center gap-1 self-center rounded px-2 py-1 text-[13px] text-dim hover:bg-hover">
            <ChevronRight className={cn('size-4 transition-transform', open && 'rotate-90')} /> Details
          </button>
        )}
      </div>
      {report.score_calculation_error && (
        <p role="alert" className="flex items-start gap-2 border-t border-line bg-bad-soft px-4 py-2 text-bad"><TriangleAlert className="mt-0.5 size-4 shrink-0" /> The score code failed: {report.score_calculation_error}</p>
      )}
      {open && <div className="flex max-h-72 flex-wrap gap-6 overflow-auto border-t border-line px-4 py-3" tabIndex={0} role="group" aria-label="Score tables">{matrices.map((matrix, at) => <MatrixTable key={at} matrix={matrix} />)}</div>}
    </section>
  )
}

function ColumnScore({ name, score, counts, note }: { name: string; score: number | null; counts: boolean; note: string }) {
  return (
    <div className="max-w-48 min-w-20 shrink-0 border-l border-line pl-5" title={`${name}: ${note}`}>
      <p className="truncate text-xs text-faint">{name}</p>
      <p className={cn('tabular text-base leading-8', counts ? 'font-medium' : 'text-dim')}>{showScore(score)}</p>
    </div>
  )
}

/** A table from code. Numbers have a bar relative to their column. */
function MatrixTable({ matrix }: { matrix: Matrix }) {
  const most = matrix.header.map((_, at) => Math.max(...matrix.rows.map((row) => Math.abs(row[at]?.number ?? 0)), 0))
  return (
    <table className="self-start text-left text-[13px]">
      {matrix.title && <caption className="pb-1 text-left font-medium">{matrix.title}</caption>}
      <thead>
        <tr className="text-xs text-faint">
          {matrix.header.map((name, at) => <th key={at} scope="col" className="border-b border-line px-3 py-1 font-medium first:pl-0">{name}</th>)}
        </tr>
      </thead>
      <tbody>
        {matrix.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at} className={cn('border-b border-line px-3 py-1 first:pl-0', cell.number !== null && 'tabular text-right')}>
                {cell.text}
                {cell.number !== null && (
                  <span aria-hidden className="mt-0.5 block h-0.5 w-24 bg-sunken">
                    <span className={cn('block h-full', cell.positive ? 'bg-accent' : 'bg-warn')} style={{ width: `${((most[at] ?? 0) === 0 ? 0 : Math.abs(cell.number) / (most[at] ?? 1)) * 100}%` }} />
                  </span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
