import { useEffect, useRef } from 'react'
import { RecordPanel } from '@/dataset/record-panel'
import { editable, kindOf } from '@/dataset/value'
import type { Cell, Column } from '@/evaluation/data'
import { cn } from '@/lib/cn'
import { typeLabel } from '@/step/node-types'
import { Badge } from '@/ui/badge'
import { CopyButton } from '@/ui/copy'
import { Loading } from '@/ui/page'
import { AnsweredBy, AnswerForm } from './answer-form'
import { FullCell } from './cell-state'

/** All cells of a row in full: the dataset values, and what was computed from them. */
export function RunRowPanel({ run, index, number, total, cells, columns, described, column, onIndex, onClose }: {
  run: number
  index: number
  total: number
  /** The number of the row, where not all rows are listed. */
  number?: number
  cells: Cell[] | undefined
  columns: string[]
  described: Map<string, Column>
  /** The clicked column, which is shown first. */
  column: number | null
  onIndex: (index: number) => void
  onClose: () => void
}) {
  const position = (number ?? index + 1) - 1
  return (
    <RecordPanel index={index} number={number} total={total} onIndex={onIndex} onClose={onClose}>
      {cells === undefined ? <Loading /> : columns.map((name, at) => <Section key={name} name={name} cell={cells[at]} run={run} position={position} column={described.get(name)} shownFirst={at === column} />)}
    </RecordPanel>
  )
}

function Section({ name, cell, run, position, column, shownFirst }: { name: string; cell: Cell | undefined; run: number; position: number; column: Column | undefined; shownFirst: boolean }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (shownFirst) box.current?.scrollIntoView({ block: 'nearest' })
  }, [shownFirst])
  if (cell === undefined) return null
  const computed = cell.type === 'eval'
  return (
    <section ref={box} className={cn('border-b border-line px-4 py-2.5', shownFirst && 'bg-accent-soft/40')}>
      <div className="mb-1 flex min-h-7 items-center gap-2">
        <h3 className="truncate text-xs font-medium text-faint">{name}</h3>
        {computed && column && <Badge>{typeLabel(column.column_type)}</Badge>}
        {cell.value !== null && cell.value !== '' && <CopyButton className="ml-auto" label={`Copy ${name}`} text={() => editable(cell.value, kindOf(cell.value))} />}
      </div>
      {cell.status === 'WAITING' && column ? <AnswerForm key={position} run={run} position={position} column={column} /> : <FullCell cell={cell} />}
      {cell.reason != null && <p className="mt-1.5 text-[13px] break-words whitespace-pre-line text-dim">Reason: <span className="text-ink">{cell.reason}</span></p>}
      {cell.answer && <AnsweredBy answer={cell.answer} />}
    </section>
  )
}
