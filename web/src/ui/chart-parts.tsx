import { cn } from '@/lib/cn'
import type { CursorPlace, DrawnSeries } from './chart-plot'

/** The legend. Clicking a name hides or shows its series. */
export function Legend({ series, hidden, onChange, line }: {
  series: DrawnSeries[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
  line: boolean
}) {
  const toggle = (label: string) => {
    const next = new Set(hidden)
    if (!next.delete(label)) next.add(label)
    // Hiding the last visible series shows all of them again.
    onChange(series.every((one) => next.has(one.label)) ? new Set() : next)
  }
  return (
    <ul className="mb-1 flex max-h-[2.7rem] flex-wrap gap-x-1 gap-y-px overflow-y-auto">
      {series.map((one) => (
        <li key={one.label} className="min-w-0">
          <button
            type="button"
            aria-pressed={!hidden.has(one.label)}
            title={hidden.has(one.label) ? `Show ${one.label}` : `Hide ${one.label}`}
            onClick={() => toggle(one.label)}
            className={cn('flex max-w-44 items-center gap-1.5 rounded px-1 py-0.5 text-dim hover:bg-hover', hidden.has(one.label) && 'line-through opacity-60')}
          >
            <Swatch colour={one.colour} dash={line ? one.dash : undefined} />
            <span className="truncate">{one.label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The colour of a series and, for lines, its dash pattern. */
export function Swatch({ colour, dash }: { colour: string; dash?: number[] }) {
  if (dash === undefined) return <span aria-hidden className="size-2.5 shrink-0 rounded-[3px]" style={{ background: colour }} />
  return (
    <svg aria-hidden width="18" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="18" y2="4" stroke={colour} strokeWidth="2.5" strokeDasharray={dash.join(' ')} />
    </svg>
  )
}

const mostRows = 9

/** The values at the crosshair. */
export function Reading({ place, title, series, format, sum, below }: {
  place: CursorPlace
  title: string
  series: DrawnSeries[]
  format: (value: number) => string
  sum: boolean
  below: boolean
}) {
  const rows = series.map((one, index) => ({ ...one, index, value: one.values[place.index] })).filter((row) => row.value !== null && row.value !== undefined && (row.value !== 0 || series.length <= 4))
  // Largest first in stacks and charts with many series; a few lines keep their order. The remainder comes last.
  const named = rows.filter(({ rest }) => rest !== true)
  if (rows.length > 4) named.sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const total = rows.reduce((all, row) => all + (row.value ?? 0), 0)
  return (
    <div
      aria-hidden
      className={cn('pointer-events-none absolute z-20 max-w-64 rounded-md border border-line bg-surface px-2 py-1.5 shadow-pop', below ? 'top-full mt-1' : 'top-8')}
      style={{ left: place.left, transform: `translateX(${place.left > 260 ? 'calc(-100% - 10px)' : '10px'})` }}
    >
      <p className="mb-0.5 font-medium whitespace-nowrap">{title}</p>
      {rows.length === 0 && <p className="text-faint">No data</p>}
      {named.slice(0, mostRows).map((row) => <OneNumber key={row.index} row={row} strong={place.series === row.index} format={format} />)}
      {named.length > mostRows && <p className="text-faint">and {named.length - mostRows} more</p>}
      {rows.filter(({ rest }) => rest === true).map((row) => <OneNumber key={row.index} row={row} strong={place.series === row.index} format={format} />)}
      {sum && rows.length > 1 && (
        <p className="mt-0.5 flex justify-between gap-3 border-t border-line pt-0.5">
          <span className="text-dim">Total</span>
          <span className="tabular">{format(total)}</span>
        </p>
      )}
    </div>
  )
}

function OneNumber({ row, strong, format }: { row: { colour: string; label: string; value: number | null | undefined }; strong: boolean; format: (value: number) => string }) {
  return (
    <p className={cn('flex items-center gap-1.5', strong && 'font-semibold')}>
      <Swatch colour={row.colour} />
      <span className="min-w-0 truncate text-dim">{row.label}</span>
      <span className="tabular ml-auto pl-3 whitespace-nowrap">{format(row.value ?? 0)}</span>
    </p>
  )
}
