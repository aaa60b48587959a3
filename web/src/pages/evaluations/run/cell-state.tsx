import { Check, CircleX, Clock, LoaderCircle, X } from 'lucide-react'
import { CellValue } from '@/dataset/cell'
import { FullValue } from '@/dataset/record-panel'
import type { Cell } from '@/evaluation/data'

/** A cell of a run in one line. Everything shown by colour also has an icon or a word. */
export function CellState({ cell }: { cell: Pick<Cell, 'status' | 'value' | 'error_message'> }) {
  switch (cell.status) {
    case 'QUEUED':
      return <span className="flex items-center gap-1.5 text-faint"><Clock className="size-3.5" /> queued</span>
    case 'RUNNING':
      return <span className="flex items-center gap-1.5 text-info"><LoaderCircle className="size-3.5 animate-spin" /> running</span>
    case 'FAILED':
      return <span className="flex items-center gap-1.5 text-bad" title={cell.error_message ?? undefined}><CircleX className="size-3.5 shrink-0" /> <span className="truncate">{cell.error_message ?? 'failed'}</span></span>
    default:
      return <Verdict value={cell.value} />
  }
}

function Verdict({ value }: { value: unknown }) {
  if (value === true) return <span className="flex items-center gap-1.5 text-good"><Check className="size-3.5" strokeWidth={3} /> true</span>
  if (value === false) return <span className="flex items-center gap-1.5 text-bad"><X className="size-3.5" strokeWidth={3} /> false</span>
  return <CellValue value={value} />
}

/** A complete cell of a run. */
export function FullCell({ cell }: { cell: Pick<Cell, 'status' | 'value' | 'error_message'> }) {
  if (cell.status === 'FAILED') return <p className="rounded-md bg-bad-soft px-2.5 py-1.5 break-words whitespace-pre-wrap text-bad">{cell.error_message ?? 'Failed without an error message.'}</p>
  if (cell.status === 'QUEUED' || cell.status === 'RUNNING' || typeof cell.value === 'boolean') return <CellState cell={cell} />
  return <FullValue value={cell.value} />
}
