import { ago, dateTime, instant } from '@/lib/format'

/** How long ago it was; the exact time on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={instant(at).toISOString()} title={dateTime(at)} className="tabular whitespace-nowrap">
      {ago(at)}
    </time>
  )
}
