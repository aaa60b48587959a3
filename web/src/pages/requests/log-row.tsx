import { memo, useCallback, useEffect, useRef } from 'react'
import { cn } from '@/lib/cn'
import type { RequestItem } from '@/request/data'
import { Checkbox } from '@/ui/field'
import type { LogColumn } from './columns'

/** One row, with placeholders until it is loaded. */
export const LogRow = memo(function LogRow({ item, columns, rowIndex, chosen, stop, opened, arrived, selected, onSelect, onOpen, onReach }: {
  item: RequestItem | undefined
  columns: LogColumn[]
  rowIndex: number
  /** Whether it is the active row of the keyboard. */
  chosen: boolean
  /** Whether Tab stops at it, which it does at one row of the table. */
  stop: boolean
  opened: boolean
  /** Whether it arrived in the live tail. */
  arrived: boolean
  /** Whether its box is checked; undefined if it has none. */
  selected: boolean | undefined
  onSelect: (id: number) => void
  onOpen: (item: RequestItem, index: number) => void
  /** Called when it receives the focus. */
  onReach: (index: number) => void
}) {
  const own = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (chosen && own.current !== null && mayTakeFocus(own.current)) own.current.focus({ preventScroll: true })
  }, [chosen])
  const slide = useCallback((row: HTMLTableRowElement | null) => {
    own.current = row
    if (row === null || !arrived || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    row.animate([{ opacity: 0, transform: 'translateY(-12px)' }, { opacity: 1, transform: 'none' }], { duration: 220, easing: 'ease-out' })
  }, [arrived])
  return (
    <tr
      ref={slide}
      data-request={item?.id}
      tabIndex={stop ? 0 : -1}
      onFocus={(event) => event.target === event.currentTarget && onReach(rowIndex)}
      aria-rowindex={rowIndex + 2}
      aria-selected={opened || chosen}
      onClick={item && ((event) => {
        const link = (event.target as Element).closest('a')
        // With a modifier key the browser opens the link in a new tab; selecting text opens nothing.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || (link === null && window.getSelection()?.isCollapsed === false)) return
        event.preventDefault()
        onOpen(item, rowIndex)
      })}
      className={cn(
        'h-8 border-b border-line focus-visible:-outline-offset-2', item && 'cursor-pointer hover:bg-hover', opened && 'bg-accent-soft hover:bg-accent-soft [&_.text-faint]:text-dim',
        chosen && 'shadow-[inset_3px_0_0_var(--accent)]', item?.status === 'ERROR' && !opened && 'bg-bad-soft/30',
      )}
    >
      {selected !== undefined && (
        // The whole cell checks the box, so that a near miss does not open the request.
        <td className="p-0" onClick={(event) => event.stopPropagation()}>
          <label className="flex h-8 items-center justify-center">
            {item && <Checkbox aria-label={`Select request ${item.id}`} tabIndex={-1} checked={selected} onChange={() => onSelect(item.id)} />}
          </label>
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={cn('truncate px-2 whitespace-nowrap first:pl-4 md:first:pl-5', column.right && 'tabular text-right')}>
          {item === undefined ? <span aria-hidden className="inline-block h-3 w-3/5 rounded bg-sunken" /> : column.cell(item)}
        </td>
      ))}
      {columns.every((column) => !column.grows) && <td />}
    </tr>
  )
})

/** Moves the focus with the active row, but never takes it from another element. */
function mayTakeFocus(row: HTMLTableRowElement): boolean {
  const active = document.activeElement
  return active === null || active === document.body || row.closest('table')?.parentElement?.contains(active) === true
}
