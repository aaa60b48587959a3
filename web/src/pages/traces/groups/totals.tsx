import type { ReactNode } from 'react'
import { ago, compact, count, dateTime, money } from '@/lib/format'
import { Fact } from '../fact'
import type { GroupItem } from './data'

/** The key figures of a session or a user. */
export function GroupTotals({ item, label, children }: { item: GroupItem; label: string; children?: ReactNode }) {
  return (
    <dl aria-label={label} className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line bg-surface px-4 py-2 text-[13px] md:px-5">
      {children}
      <Fact name="Traces">{count(item.trace_count)}</Fact>
      <Fact name="Requests">{count(item.request_count)}</Fact>
      <Fact name="Errors"><span className={item.error_count > 0 ? 'text-bad' : undefined}>{count(item.error_count)}</span></Fact>
      <Fact name="Cost">{item.cost === null ? '–' : money(item.cost)}</Fact>
      <Fact name="Tokens">{item.total_tokens === null ? '–' : <>{compact(item.input_tokens ?? 0)} → {compact(item.output_tokens ?? 0)}</>}</Fact>
      <Fact name="First seen"><span title={ago(item.first_seen)}>{dateTime(item.first_seen)}</span></Fact>
      <Fact name="Last seen"><span title={ago(item.last_seen)}>{dateTime(item.last_seen)}</span></Fact>
    </dl>
  )
}
