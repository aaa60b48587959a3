import { CalendarRange, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn'
import { dateTime, shortTime } from '@/lib/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Popover } from '@/ui/menu'
import { defaultRange, timeSpan, type QueryState } from './state'

const names: Record<string, string> = {
  '15m': 'Last 15 minutes', '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last 24 hours', '3d': 'Last 3 days', '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days',
  today: 'Today', yesterday: 'Yesterday', week: 'This week', 'last-week': 'Last week', month: 'This month', 'last-month': 'Last month', all: 'All time',
}

/** Describes the time range of a state. */
export function rangeWords(state: QueryState): string {
  if (state.from === undefined && state.to === undefined) return names[state.range ?? defaultRange] ?? `Last ${state.range ?? ''}`
  const { from, to } = timeSpan(state)
  if (from === null) return to === null ? names.all ?? '' : `Until ${shortTime(new Date(to))}`
  return to === null ? `Since ${shortTime(new Date(from))}` : `${shortTime(new Date(from))} – ${shortTime(new Date(to))}`
}

/** Selects a range that ends now, a period of the calendar, or a range between two times. */
export function TimeRange<State extends QueryState>({ state, onChange, className }: { state: State; onChange: (state: State) => void; className?: string }) {
  const [open, setOpen] = useState(false)
  const fixed = state.from !== undefined || state.to !== undefined
  const choose = (range: string) => {
    onChange({ ...state, range: range === defaultRange ? undefined : range, from: undefined, to: undefined })
    setOpen(false)
  }
  const { from, to } = timeSpan(state)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label="Time range"
      className="flex w-[26rem] gap-3 max-sm:flex-col"
      trigger={
        <Button
          className={cn('font-normal', className)}
          aria-label={`Time range: ${rangeWords(state)}`}
          title={fixed ? `${from === null ? 'any time' : dateTime(new Date(from))} – ${to === null ? 'now' : dateTime(new Date(to))}` : undefined}
        >
          <CalendarRange className="text-faint" /> {rangeWords(state)} <ChevronDown className="text-faint" />
        </Button>
      }
    >
      <ul className="flex shrink-0 flex-col sm:border-r sm:border-line sm:pr-3">
        {Object.entries(names).map(([range, name]) => {
          const chosen = !fixed && (state.range ?? defaultRange) === range
          return (
            <li key={range}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => choose(range)}
                className={cn('w-full rounded px-2 py-1 text-left hover:bg-hover', chosen && 'bg-accent-soft font-medium text-accent-ink')}
              >
                {name}
              </button>
            </li>
          )
        })}
      </ul>
      <Custom
        from={from}
        to={to}
        onApply={(low, high) => {
          onChange({ ...state, range: undefined, from: low ?? undefined, to: high ?? undefined })
          setOpen(false)
        }}
      />
    </Popover>
  )
}

function Custom({ from, to, onApply }: { from: number | null; to: number | null; onApply: (from: string | null, to: string | null) => void }) {
  const [low, setLow] = useState(inputValue(from))
  const [high, setHigh] = useState(inputValue(to))
  const reversed = low !== '' && high !== '' && low > high
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!reversed && (low !== '' || high !== '')) onApply(isoValue(low), isoValue(high))
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-1 flex-col gap-2">
      <p className="text-[13px] font-medium">Custom range</p>
      <Field label="From">{(control) => <Input {...control} type="datetime-local" step={1} value={low} onChange={(event) => setLow(event.target.value)} />}</Field>
      <Field label="To" hint="Leave empty for now" error={reversed ? 'The end is before the start' : null}>
        {(control) => <Input {...control} type="datetime-local" step={1} value={high} onChange={(event) => setHigh(event.target.value)} />}
      </Field>
      <Button type="submit" small className="self-start" disabled={reversed || (low === '' && high === '')}>
        Apply
      </Button>
      <p className="mt-auto text-xs text-faint">Times are in your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}.</p>
    </form>
  )
}

/** Formats a time for the browser's date and time control, in the user's time zone. */
function inputValue(at: number | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function isoValue(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString()
}
