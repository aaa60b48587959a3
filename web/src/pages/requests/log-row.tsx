import { memo, useCallback } from 'react'
import { cn } from '@/lib/cn'
import type { LogColumn } from './columns'
import type { RequestItem } from './log-query'

/** One row; grey bars until it is there. */
export const LogRow = memo(function LogRow({ item, columns, rowIndex, chosen, opened, arrived, onOpen }: {
  item: RequestItem | undefined
  columns: LogColumn[]
  rowIndex: number
  chosen: boolean
  opened: boolean
  /** Whether it came while the list was watched. */
  arrived: boolean
  onOpen: (item: RequestItem, index: number) => void
}) {
  const slide = useCallback((row: HTMLTableRowElement | null) => {
    if (row === null || !arrived || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    row.animate([{ opacity: 0, transform: 'translateY(-12px)' }, { opacity: 1, transform: 'none' }], { duration: 220, easing: 'ease-out' })
  }, [arrived])
  return (
    <tr
      ref={slide}
      data-request={item?.id}
      aria-rowindex={rowIndex + 2}
      aria-selected={opened || chosen}
      onClick={item && ((event) => {
        const link = (event.target as Element).closest('a')
        // With a key held down the browser opens the link in another tab; selecting text opens nothing.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || (link === null && window.getSelection()?.isCollapsed === false)) return
        event.preventDefault()
        onOpen(item, rowIndex)
      })}
      className={cn(
        'h-8 border-b border-line', item && 'cursor-pointer hover:bg-hover', opened && 'bg-accent-soft hover:bg-accent-soft [&_.text-faint]:text-dim',
        chosen && 'shadow-[inset_3px_0_0_var(--accent)]', item?.status === 'ERROR' && !opened && 'bg-bad-soft/30',
      )}
    >
      {columns.map((column) => (
        <td key={column.id} className={cn('truncate px-2 whitespace-nowrap first:pl-4 md:first:pl-5', column.right && 'tabular text-right')}>
          {item === undefined ? <span aria-hidden className="inline-block h-3 w-3/5 rounded bg-sunken" /> : column.cell(item)}
        </td>
      ))}
      {columns.every((column) => !column.grows) && <td />}
    </tr>
  )
})
