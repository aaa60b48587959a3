import { cn } from '@/lib/cn'
import type { FileState } from '../files/draft'

const looks: Record<FileState, { mark: string; colour: string }> = {
  added: { mark: 'A', colour: 'text-good' },
  changed: { mark: 'M', colour: 'text-warn' },
  moved: { mark: 'R', colour: 'text-info' },
  removed: { mark: 'D', colour: 'text-bad' },
}

/** A letter for the state of a file. */
export function FileMark({ state }: { state: FileState }) {
  const { mark, colour } = looks[state]
  return (
    <span title={state} className={cn('shrink-0 font-mono text-xs font-semibold', colour)}>
      <span aria-hidden>{mark}</span>
      <span className="sr-only">{state}</span>
    </span>
  )
}
