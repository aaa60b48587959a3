import { useEffect, useRef, type ReactNode } from 'react'
import { cn } from '@/lib/cn'

interface ListItem {
  label: ReactNode
  note?: ReactNode
}

/** The list of suggestions below a field. The field keeps the focus; Enter takes the `active` one. */
export function SuggestList({ id, items, active, onPick, label, footer, className }: {
  id: string
  items: ListItem[]
  active: number
  onPick: (index: number) => void
  label: string
  footer?: ReactNode
  className?: string
}) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // Keep the focus in the field.
    <div onMouseDown={(event) => event.preventDefault()} className={cn('absolute top-full left-0 z-40 mt-1 w-full max-w-xl overflow-hidden rounded-md border border-line bg-surface shadow-pop', className)}>
      <ul ref={list} id={id} role="listbox" aria-label={label} className="max-h-72 overflow-auto p-1">
        {items.map((item, index) => (
          <li
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => onPick(index)}
            className={cn('flex cursor-pointer items-baseline justify-between gap-4 rounded px-2 py-1 hover:bg-hover', index === active && 'bg-hover')}
          >
            <span className="min-w-0 truncate font-mono text-[13px]">{item.label}</span>
            {item.note && <span className="shrink-0 truncate text-xs text-faint">{item.note}</span>}
          </li>
        ))}
      </ul>
      {footer && <div className="border-t border-line px-3 py-1.5 text-xs text-faint">{footer}</div>}
    </div>
  )
}
