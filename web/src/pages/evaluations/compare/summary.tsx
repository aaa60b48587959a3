import { Star } from 'lucide-react'
import { useState } from 'react'
import type { Comparison } from '@/evaluation/data'
import { count } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { readScore, showChange, showScore } from '../score'
import { verdictOf } from './verdict'

/** How the score and each column changed, and how certain that is. */
export function Summary({ comparison }: { comparison: Comparison }) {
  const { before, after, score, columns, row_counts: rows } = comparison
  const custom = [readScore(before.score), readScore(after.score)]
  const byCode = custom.every((one) => one?.custom && one.overall !== null)
  const verdict = verdictOf(score)
  // On phones it starts collapsed, so that the rows below are visible.
  const [open, setOpen] = useState(() => window.innerWidth >= 768)
  return (
    <section aria-label="Scores" className="border-b border-line bg-surface">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2 px-4 py-3">
        <div>
          <p className="text-xs text-faint">Score</p>
          <p className="tabular flex flex-wrap items-baseline gap-x-3">
            <span className="text-2xl font-semibold">{showScore(score.after)}</span>
            <span className="font-medium">{showChange(score.change)}</span>
            <span className="text-[13px] text-dim">from {showScore(score.before)}{interval(score)}</span>
            <Badge tone={verdict.tone}>{verdict.words}</Badge>
          </p>
        </div>
        {byCode && (
          <div>
            <p className="text-xs text-faint">Score from code</p>
            <p className="tabular"><span className="text-2xl font-semibold">{showScore(custom[1]?.overall)}</span> <span className="text-[13px] text-dim">from {showScore(custom[0]?.overall)}</span></p>
          </div>
        )}
        <p className="max-w-xs text-[13px] text-dim">{rowWords(rows)}{rows.different > 0 && <> <Badge tone="warn" title="The input of these rows differs between the runs, so they count neither as improved nor as worsened.">{count(rows.different)} different input</Badge> not compared.</>}</p>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="ml-auto rounded px-2 py-1 text-[13px] text-dim hover:bg-hover">{open ? 'Hide columns' : 'Show columns'}</button>
      </div>
      <Unfinished run={before} />
      <Unfinished run={after} />
      {open && columns.length > 0 && <ColumnTable columns={columns} />}
      <OnlyIn names={comparison.columns_only_before} run={before.name} />
      <OnlyIn names={comparison.columns_only_after} run={after.name} />
    </section>
  )
}

/** Warns if a run has no score, which makes the comparison less meaningful. */
function Unfinished({ run }: { run: Comparison['before'] }) {
  const score = readScore(run.score)
  if (score === null || score.overall !== null || score.message === null) return null
  return <p className="border-t border-line bg-warn-soft px-4 py-1.5 text-[13px] text-warn">{run.name} has no score: {score.message}. Only cells with a value are compared.</p>
}

function ColumnTable({ columns }: { columns: Comparison['columns'] }) {
  const heading = 'px-3 py-1.5 font-medium whitespace-nowrap first:pl-4'
  const cell = 'px-3 py-1.5 whitespace-nowrap first:pl-4'
  const number = `${cell} tabular text-right`
  return (
    <div className="max-h-56 overflow-auto border-t border-line" tabIndex={0} role="region" aria-label="Columns">
      <table className="w-full text-left text-[13px]">
        <thead className="text-xs text-faint">
          <tr className="border-b border-line">
            <th scope="col" className={heading}>Column</th>
            {['Before', 'After', 'Change'].map((name) => <th key={name} scope="col" className={`${heading} text-right`}>{name}</th>)}
            <th scope="col" className={heading}><span title="With 95% confidence, the change is in this interval">95% interval</span></th>
            {['Improved', 'Worsened', 'Changed', 'Now failing', 'Fixed'].map((name) => <th key={name} scope="col" className={`${heading} text-right`}>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => {
            const verdict = verdictOf(column)
            return (
              <tr key={column.name} className="border-b border-line last:border-0">
                <th scope="row" className={`${cell} max-w-56 truncate font-medium`}>
                  {column.is_part_of_score && <Star aria-label="Part of the score" className="mr-1 inline size-3 text-accent-ink" />}
                  {column.name}
                </th>
                <td className={number}>{showScore(column.before)}</td>
                <td className={number}>{showScore(column.after)}</td>
                <td className={`${number} font-medium`}>{showChange(column.change)}</td>
                <td className={cell}><span className="tabular mr-2 text-dim">{bounds(column)}</span><Badge tone={verdict.tone}>{verdict.words}</Badge></td>
                <Count n={column.changes.improved} className="text-good" />
                <Count n={column.changes.worsened} className="text-bad" />
                <Count n={column.changes.changed} />
                <Count n={column.changes.now_fails} className="text-bad" />
                <Count n={column.changes.no_longer_fails} className="text-good" />
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Count({ n, className = '' }: { n: number; className?: string }) {
  return <td className={`tabular px-3 py-1.5 text-right ${n === 0 ? 'text-faint' : className}`}>{count(n)}</td>
}

type Bounds = { confidence_low: number | null; confidence_high: number | null }

function bounds({ confidence_low: low, confidence_high: high }: Bounds): string {
  return low === null || high === null ? '' : `${showChange(low)} to ${showChange(high)}`
}

function interval(difference: Bounds): string {
  const text = bounds(difference)
  return text === '' ? '' : ` (95% interval: ${text})`
}

function rowWords({ compared, only_before, only_after }: Comparison['row_counts']): string {
  const rows = (n: number) => `${count(n)} ${n === 1 ? 'row' : 'rows'}`
  const words = [`${rows(compared)} with the same input`]
  if (only_before > 0) words.push(`${count(only_before)} only in the earlier run`)
  if (only_after > 0) words.push(`${count(only_after)} only in the later run`)
  return words.join(', ') + '.'
}

function OnlyIn({ names, run }: { names: string[]; run: string }) {
  if (names.length === 0) return null
  return <p className="border-t border-line px-4 py-1.5 text-[13px] text-dim">Only in {run}: {names.join(', ')}</p>
}
