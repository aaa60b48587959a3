import { CircleCheck, CircleX, LoaderCircle, UserRound } from 'lucide-react'
import type { Schemas } from '@/api/client'
import { count } from '@/lib/format'

type Counts = Schemas['StatusCounts']

/** The status of a run as a word with an icon. */
export function RunState({ status, counts }: { status: string; counts: Counts }) {
  const total = totalOf(counts)
  if (status === 'RUNNING') {
    return <span className="inline-flex items-center gap-1.5 text-info"><LoaderCircle className="size-3.5 animate-spin" /> {total === 0 ? 'running' : `${Math.floor(((counts.COMPLETED + counts.FAILED) / total) * 100)}% complete`}</span>
  }
  if (status === 'WAITING') {
    const waiting = counts.WAITING ?? 0
    return <span className="inline-flex items-center gap-1.5 text-warn"><UserRound className="size-3.5" /> {count(waiting)} {waiting === 1 ? 'cell waits' : 'cells wait'} for people</span>
  }
  if (counts.FAILED > 0) return <span className="inline-flex items-center gap-1.5 text-bad"><CircleX className="size-3.5" /> {count(counts.FAILED)} {counts.FAILED === 1 ? 'cell' : 'cells'} failed</span>
  return <span className="inline-flex items-center gap-1.5 text-good"><CircleCheck className="size-3.5" /> completed</span>
}

export function totalOf({ COMPLETED, FAILED, QUEUED, RUNNING, WAITING = 0 }: Counts): number {
  return COMPLETED + FAILED + QUEUED + RUNNING + WAITING
}
