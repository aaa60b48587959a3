import { Check, CircleX, Clock, LoaderCircle, UserRound, X } from 'lucide-react'
import { CellValue } from '@/dataset/cell'
import { FullValue } from '@/dataset/record-panel'
import type { Cell } from '@/evaluation/data'

/** A cell of a run in one line. Everything shown by colour also has an icon or a word. */
export function CellState({ cell }: { cell: Pick<Cell, 'status' | 'value' | 'error_message' | 'reason'> }) {
  switch (cell.status) {
    case 'QUEUED':
      return <span className="flex items-center gap-1.5 text-faint"><Clock className="size-3.5" /> queued</span>
    case 'RUNNING':
      return <span className="flex items-center gap-1.5 text-info"><LoaderCircle className="size-3.5 animate-spin" /> running</span>
    case 'WAITING':
      return <span className="flex items-center gap-1.5 text-warn"><UserRound className="size-3.5" /> waiting for a person</span>
    case 'FAILED':
      return <span className="flex items-center gap-1.5 text-bad" title={cell.error_message ?? undefined}><CircleX className="size-3.5 shrink-0" /> <span className="truncate">{cell.error_message ?? 'failed'}</span></span>
    default:
      return cell.reason == null ? <Verdict value={cell.value} /> : <Explained value={cell.value} reason={cell.reason} />
  }
}

/** A value with the reason for it, which the title shows in full. */
function Explained({ value, reason }: { value: unknown; reason: string }) {
  return (
    <span className="flex items-center gap-2" title={reason}>
      <span className="max-w-1/2 shrink-0 truncate"><Verdict value={value} /></span>
      <span className="truncate text-dim">{reason}</span>
    </span>
  )
}

function Verdict({ value }: { value: unknown }) {
  if (value === true) return <span className="flex items-center gap-1.5 text-good"><Check className="size-3.5" strokeWidth={3} /> true</span>
  if (value === false) return <span className="flex items-center gap-1.5 text-bad"><X className="size-3.5" strokeWidth={3} /> false</span>
  return <CellValue value={value} />
}

/** A complete cell of a run. */
export function FullCell({ cell }: { cell: Pick<Cell, 'status' | 'value' | 'error_message'> }) {
  if (cell.status === 'FAILED') return <p className="rounded-md bg-bad-soft px-2.5 py-1.5 break-words whitespace-pre-wrap text-bad">{cell.error_message ?? 'Failed without an error message.'}</p>
  if (cell.status === 'QUEUED' || cell.status === 'RUNNING' || cell.status === 'WAITING' || typeof cell.value === 'boolean') return <CellState cell={cell} />
  return <FullValue value={cell.value} />
}
