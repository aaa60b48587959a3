import { cn } from '@/lib/cn'

export interface BarItem {
  name: string
  value: number
  note?: string
  /** Distinguishes items with the same name. Defaults to the name. */
  key?: string
}

/** A ranking as bars. Clicking a bar filters by it. */
export function BarList({ items, format = (n) => n.toLocaleString('en-US'), onPick, empty = 'No data in this range' }: {
  items: BarItem[]
  format?: (value: number) => string
  /** Called with the name and index of the clicked bar. */
  onPick?: (name: string, index: number) => void
  empty?: string
}) {
  if (items.length === 0) return <p className="py-6 text-center text-faint">{empty}</p>
  const most = Math.max(...items.map((item) => item.value), Number.MIN_VALUE)
  return (
    <ul className="flex flex-col gap-1">
      {items.map((item, index) => {
        const inner = (
          <>
            <span aria-hidden className="absolute inset-y-0 left-0 rounded bg-accent-soft" style={{ width: `${Math.max((item.value / most) * 100, 1)}%` }} />
            <span className="relative min-w-0 truncate">{item.name}</span>
            <span className="tabular relative shrink-0 text-dim">{item.note ? `${item.note} · ` : ''}{format(item.value)}</span>
          </>
        )
        const row = 'relative flex w-full items-center justify-between gap-3 rounded px-2 py-1 text-left text-[13px]'
        return (
          <li key={item.key ?? item.name}>
            {onPick ? (
              <button type="button" className={cn(row, 'hover:bg-hover')} onClick={() => onPick(item.name, index)} title={`Filter by ${item.name}`}>
                {inner}
              </button>
            ) : (
              <div className={row} title={item.name}>{inner}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
