import { ago, dateTime, instant } from '@/lib/format'

/** A relative time, with the exact time as a tooltip. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={instant(at).toISOString()} title={dateTime(at)} className="tabular whitespace-nowrap">
      {ago(at)}
    </time>
  )
}
