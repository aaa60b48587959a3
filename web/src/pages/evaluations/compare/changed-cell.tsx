import { ArrowDown, ArrowRight, ArrowUp, CircleCheck, CircleX, Clock, Equal, Minus, Replace } from 'lucide-react'
import { oneLine } from '@/dataset/value'
import type { Comparison } from '@/evaluation/data'
import { Badge } from '@/ui/badge'
import { uncomparedWords, type Change } from './verdict'

type ComparedCell = Comparison['rows'][number]['cells'][number]
type Side = ComparedCell['before']

const looks: Record<Change, { icon: typeof Equal; tone: string; words: string }> = {
  same: { icon: Equal, tone: 'text-faint', words: 'unchanged' },
  improved: { icon: ArrowUp, tone: 'text-good', words: 'improved' },
  worsened: { icon: ArrowDown, tone: 'text-bad', words: 'worsened' },
  changed: { icon: Replace, tone: 'text-violet', words: 'changed' },
  now_fails: { icon: CircleX, tone: 'text-bad', words: 'now fails' },
  no_longer_fails: { icon: CircleCheck, tone: 'text-good', words: 'fixed' },
  pending: { icon: Clock, tone: 'text-faint', words: 'still running' },
  not_compared: { icon: Minus, tone: 'text-faint', words: 'different input, not compared' },
}

/** The change of a cell between two runs, in one line. */
export function ChangedCell({ cell }: { cell: ComparedCell }) {
  if (cell.change === 'not_compared') return <Uncompared cell={cell} />
  const { icon: Icon, tone, words } = looks[cell.change]
  const [before, after] = [sideText(cell.before), sideText(cell.after)]
  const same = cell.change === 'same'
  return (
    <span className="flex items-center gap-1.5" title={words}>
      <Icon className={`size-3.5 shrink-0 ${tone}`} aria-label={words} />
      {!same && (
        <>
          <span className="min-w-0 truncate text-dim">{before}</span>
          <ArrowRight className="size-3 shrink-0 text-faint" aria-label="changed to" />
        </>
      )}
      <span className={`truncate ${same ? 'min-w-0 text-faint' : 'max-w-[60%] shrink-0'}`}>{after}</span>
    </span>
  )
}

/** Two values side by side without an arrow, because their inputs differ. */
function Uncompared({ cell: { before, after } }: { cell: ComparedCell }) {
  const words = uncomparedWords(before, after)
  return (
    <span className="flex items-center gap-1.5 text-faint" title={`${words}, not compared`}>
      <Badge>{words}</Badge>
      {before !== null && <span className="min-w-0 truncate">{sideText(before)}</span>}
      {before !== null && after !== null && <span aria-label="and">|</span>}
      {after !== null && <span className="min-w-0 truncate">{sideText(after)}</span>}
    </span>
  )
}

/** The change in one word. */
export function ChangeWord({ change }: { change: Change }) {
  const { icon: Icon, tone, words } = looks[change]
  return <span className={`inline-flex items-center gap-1 text-xs ${tone}`}><Icon className="size-3.5" /> {words}</span>
}

function sideText(side: Side): string {
  if (side === null) return 'no row'
  if (side.status === 'FAILED') return 'failed'
  if (side.status !== 'PASSED') return 'running'
  return side.value === null ? 'none' : oneLine(side.value, 120)
}
