import { Bot, ChevronRight, CircleAlert, CircleDot, MessageSquareText, Wrench } from 'lucide-react'
import { memo } from 'react'
import { cn } from '@/lib/cn'
import { count, duration, money } from '@/lib/format'
import { kindNames, type Kind } from '../model/kind'

export const rowHeight = 28

const icons = { model: MessageSquareText, tool: Wrench, agent: Bot, other: CircleDot }
const inks: Record<Kind, string> = { model: 'text-accent-ink', tool: 'text-info', agent: 'text-violet', other: 'text-faint' }
const fills: Record<Kind, string> = { model: 'bg-accent', tool: 'bg-info', agent: 'bg-violet', other: 'bg-faint' }

/** Deeper spans are not indented further, so that their names stay visible. */
const mostIndented = 16

export interface RowProps {
  id: string
  index: number
  name: string
  kind: Kind
  depth: number
  position: number
  siblings: number
  /** Undefined for a span without children. */
  expanded: boolean | undefined
  /** The number of spans below it. */
  below: number
  failed: boolean
  /** The number of failed spans below it. */
  errorsBelow: number
  selected: boolean
  matches: boolean
  ms: number
  left: number
  width: number
  dollars: number | undefined
  top: number
  onSelect: (index: number) => void
  onToggle: (index: number) => void
}

/** One span: its name in the tree, and its bar in the timeline. */
export const TreeRow = memo(function TreeRow(row: RowProps) {
  const { index, name, kind, failed, errorsBelow, selected, expanded } = row
  const mark = failed ? 'failed' : errorsBelow > 0 ? `${count(errorsBelow)} failed below` : ''
  return (
    <div
      id={row.id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={expanded}
      aria-selected={selected}
      onClick={() => row.onSelect(index)}
      onDoubleClick={() => expanded !== undefined && row.onToggle(index)}
      style={{ height: rowHeight, transform: `translateY(${row.top}px)` }}
      className={cn(
        'absolute inset-x-0 top-0 flex cursor-pointer items-center border-b border-line/60 text-[13px] hover:bg-hover',
        row.matches && 'bg-warn-soft/60 [&_.text-faint]:text-dim', selected && 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)] hover:bg-accent-soft [&_.text-faint]:text-dim',
      )}
    >
      <div className="flex h-full w-full min-w-0 items-center gap-1.5 pr-2 pl-2 sm:w-[var(--names)] sm:shrink-0" style={{ paddingLeft: 8 + Math.min(row.depth, mostIndented) * 14 }}>
        <Toggle expanded={expanded} onToggle={() => row.onToggle(index)} />
        <Mark kind={kind} failed={failed} errorsBelow={errorsBelow} />
        <span className={cn('truncate', failed && 'text-bad')} title={name}>{name}</span>
        <span className="sr-only">, {[kindNames[kind], duration(row.ms), ...(mark === '' ? [] : [mark])].join(', ')}</span>
        {expanded === false && <span className="shrink-0 rounded bg-sunken px-1 text-xs text-faint">+{count(row.below)}</span>}
        <span className="tabular ml-auto shrink-0 pl-2 text-xs text-faint">
          {row.dollars !== undefined && <span className="mr-2 max-md:hidden">{money(row.dollars)}</span>}
          <span aria-hidden className="sm:hidden">{duration(row.ms)}</span>
        </span>
      </div>
      <Bar {...row} />
    </div>
  )
})

/** For the mouse; the keyboard expands with the arrow keys. */
function Toggle({ expanded, onToggle }: { expanded: boolean | undefined; onToggle: () => void }) {
  if (expanded === undefined) return <span aria-hidden className="size-4 shrink-0" />
  return (
    <span
      aria-hidden
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
      className="grid size-4 shrink-0 place-items-center rounded hover:bg-hover"
    >
      <ChevronRight className={cn('size-3.5 text-faint transition-transform', expanded && 'rotate-90')} />
    </span>
  )
}

function Mark({ kind, failed, errorsBelow }: Pick<RowProps, 'kind' | 'failed' | 'errorsBelow'>) {
  const Icon = failed ? CircleAlert : icons[kind]
  return (
    <span aria-hidden title={errorsBelow > 0 ? `${count(errorsBelow)} failed below` : undefined} className="relative shrink-0">
      <Icon className={cn('size-3.5', failed ? 'text-bad' : inks[kind])} />
      {!failed && errorsBelow > 0 && <span className="absolute -top-0.5 -right-1 size-1.5 rounded-full bg-bad" />}
    </span>
  )
}

function Bar({ kind, failed, ms, left, width }: Pick<RowProps, 'kind' | 'failed' | 'ms' | 'left' | 'width'>) {
  // The duration stands after the bar, or before it where there is no room.
  const after = left + width < 82
  return (
    <div aria-hidden className="relative mr-3 h-full min-w-0 flex-1 max-sm:hidden">
      <div className={cn('absolute top-2 h-3 min-w-0.5 rounded-sm', failed ? 'bg-bad' : fills[kind])} style={{ left: `${Math.min(left, 99.7)}%`, width: `${Math.min(width, 100 - Math.min(left, 99.7))}%` }} />
      <span className={cn('tabular absolute top-1 text-xs whitespace-nowrap text-faint', left < 18 && !after && 'rounded bg-surface/85 px-1')} style={after ? { left: `calc(${left + width}% + 6px)` } : { right: left < 18 ? '6px' : `calc(${100 - left}% + 6px)` }}>
        {duration(ms)}
      </span>
    </div>
  )
}
