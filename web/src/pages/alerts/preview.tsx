import { cn } from '@/lib/cn'
import { shortTime } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { type Draft, stateWords, tones, valueWords, type Window } from './alert-form'
import { usePreview } from './alert-data'

/** What the alert of a form would find now, and in the windows before. */
export function Preview({ draft }: { draft: Draft }) {
  const preview = usePreview(draft)
  const [now] = preview.data ?? []
  const measure = draft.kind === 'budget' ? 'cost' : draft.measure
  return (
    <section aria-label="Preview" className={cn('flex flex-col gap-2 rounded-lg border border-line bg-sunken p-3', preview.isPlaceholderData && 'opacity-60')}>
      <h3 className="text-[13px] font-medium text-dim">Now</h3>
      {preview.isError && <p role="alert" className="text-[13px] text-bad">{preview.error.message}</p>}
      {!preview.isError && now === undefined && <p className="text-faint">{preview.isFetching ? 'Computing…' : 'Enter a threshold to see the value.'}</p>}
      {!preview.isError && now !== undefined && (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <strong className="tabular text-base">{now.value === null ? 'No value' : valueWords(measure, now.value)}</strong>
            <Badge tone={tones[now.state]}>{stateWords(now.state, now.level)}</Badge>
            <span className="text-faint">{now.requests.toLocaleString('en-US')} requests{now.forecast === null ? '' : `, forecast ${valueWords('cost', now.forecast)}`}</span>
          </p>
          <Bars windows={preview.data ?? []} measure={measure} />
        </>
      )}
    </section>
  )
}

/** The values of the windows, the oldest first. Red ones would fire. */
function Bars({ windows, measure }: { windows: Window[]; measure: Parameters<typeof valueWords>[0] }) {
  const highest = Math.max(...windows.map(({ value }) => value ?? 0), 0)
  const firing = windows.filter(({ state }) => state === 'firing').length
  return (
    <figure className="flex flex-col gap-1">
      <div role="img" aria-label={`${firing} of the last ${windows.length} would have fired`} className="flex h-14 items-end gap-1">
        {windows.toReversed().map((one) => (
          <span
            key={one.from}
            title={`${one.from === null ? '' : shortTime(one.from)}: ${one.value === null ? 'no value' : valueWords(measure, one.value)}`}
            className={cn('min-h-px flex-1 rounded-t-sm', one.state === 'firing' ? 'bg-bad' : one.state === 'ok' ? 'bg-accent' : 'bg-line-strong')}
            style={{ height: highest > 0 && one.value !== null ? `${Math.max((one.value / highest) * 100, 2)}%` : '2%' }}
          />
        ))}
      </div>
      <figcaption className="text-[13px] text-faint">{firing} of the last {windows.length} would have fired.</figcaption>
    </figure>
  )
}
