import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useMemo, useRef, type KeyboardEvent, type Ref } from 'react'
import { duration } from '@/lib/format'
import { kindOf } from '../model/kind'
import { isParent, moveFor, toggled, visibleRows, type Collapsed } from '../model/rows'
import { barOf, durationOf, ticksOf, type Timeline } from '../model/timeline'
import { at, failed } from '../model/tree'
import { rowHeight, TreeRow, type RowProps } from './tree-row'
import type { Sums, TraceModel } from './use-trace'

/** The tree and the timeline side by side. Only visible rows are rendered. */
export function TreeView({ model, sums, selected, matches, collapsed, onSelect, onCollapse, onEnter, ref }: {
  model: TraceModel
  sums: Sums | undefined
  selected: number
  matches: ReadonlySet<number>
  collapsed: Collapsed
  onSelect: (index: number) => void
  onCollapse: (collapsed: Collapsed) => void
  /** Enter was pressed on the selected span. */
  onEnter: () => void
  /** The element that takes the keys. */
  ref: Ref<HTMLDivElement>
}) {
  const { tree, ids, timeline } = model
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => visibleRows(tree, ids, collapsed), [tree, ids, collapsed])
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 16 })
  const shown = virtualizer.getVirtualItems()
  const row = useMemo(() => rows.indexOf(selected), [rows, selected])
  useKeptInView(row, virtualizer.scrollToIndex)
  const toggle = useCallback((index: number) => onCollapse(toggled(collapsed, ids[index] ?? '')), [onCollapse, collapsed, ids])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Enter') onEnter()
    else {
      const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1)
      const move = moveFor(event.key, selected, { tree, ids, collapsed, rows }, page)
      if (move === null) return
      if ('select' in move) onSelect(move.select)
      else onCollapse(move.collapsed)
    }
    event.preventDefault()
  }
  const rendered = shown.some(({ index }) => index === row)
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface [--names:clamp(14rem,44%,34rem)]">
      <Axis timeline={timeline} />
      <div ref={box} className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]">
        <div
          ref={ref}
          role="tree"
          aria-label="Spans"
          tabIndex={0}
          aria-activedescendant={rendered ? `${id}-${selected}` : undefined}
          onKeyDown={onKeyDown}
          style={{ height: virtualizer.getTotalSize() }}
          className="relative outline-none focus-visible:[&>[aria-selected=true]]:outline-2 focus-visible:[&>[aria-selected=true]]:-outline-offset-2 focus-visible:[&>[aria-selected=true]]:outline-accent"
        >
          {shown.map(({ index: position, start }) => {
            const index = rows[position] ?? 0
            return <TreeRow key={ids[index]} {...rowOf(model, sums, index)} expanded={isParent(tree, index) ? !collapsed.has(ids[index] ?? '') : undefined} id={`${id}-${index}`} selected={index === selected} matches={matches.has(index)} top={start} onSelect={onSelect} onToggle={toggle} />
          })}
        </div>
      </div>
    </div>
  )
}

/** What a row shows of a span, whatever is selected. */
function rowOf({ spans, tree, timeline }: TraceModel, sums: Sums | undefined, index: number): Omit<RowProps, 'id' | 'expanded' | 'selected' | 'matches' | 'top' | 'onSelect' | 'onToggle'> {
  const span = spans[index]
  const own = span !== undefined && failed(span)
  return {
    index, name: span?.name || '(no name)', kind: span === undefined ? 'other' : kindOf(span), depth: at(tree.depth, index), position: at(tree.position, index), siblings: at(tree.siblings, index),
    below: at(tree.size, index) - 1, failed: own, errorsBelow: at(tree.errors, index) - (own ? 1 : 0), ms: durationOf(timeline, index), ...barOf(timeline, index), dollars: sums?.dollars[index],
  }
}

/** Scrolls to the selected row when another one is selected, but not when rows are added. */
function useKeptInView(row: number, scrollToIndex: (index: number) => void) {
  const scroll = useRef(scrollToIndex)
  useEffect(() => {
    scroll.current = scrollToIndex
  })
  useEffect(() => {
    if (row >= 0) scroll.current(row)
  }, [row])
}

/** Times since the start of the trace. */
function Axis({ timeline }: { timeline: Timeline }) {
  const whole = timeline.to - timeline.from
  return (
    <div aria-hidden className="flex h-7 shrink-0 items-center overflow-hidden border-b border-line bg-sunken text-xs text-dim [scrollbar-gutter:stable]">
      <span className="w-full px-3 font-medium sm:w-[var(--names)] sm:shrink-0">Span</span>
      <div className="tabular relative mr-3 h-full min-w-0 flex-1 max-sm:hidden">
        {ticksOf(timeline).map((ms) => {
          const left = whole <= 0 ? 0 : (ms / whole) * 100
          return left > 92 ? null : <span key={ms} className="absolute inset-y-0 border-l border-line-strong pl-1 leading-7" style={{ left: `${left}%` }}>{duration(ms)}</span>
        })}
      </div>
    </div>
  )
}
