import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ago, compact, count, dateTime, duration, money } from '@/lib/format'
import { Badge, StatusBadge } from '@/ui/badge'
import { IconButton, buttonClass } from '@/ui/button'
import { Fact, factLink } from '../fact'
import { SessionLink, UserLink } from '../list/cells'
import { at } from '../model/tree'
import { neighbourQuery, type Outline, type TraceItem } from './data'
import type { TraceModel } from './use-trace'

/** The key figures of a trace. Cost and tokens are known once they are added up. */
export function Totals({ workspace, trace, item, model, growing }: { workspace: number; trace: Outline; item: TraceItem | null; model: TraceModel; growing: boolean }) {
  const { tree, timeline } = model
  const errors = tree.roots.reduce((sum, root) => sum + at(tree.errors, root), 0)
  const started = new Date(timeline.from)
  return (
    <>
      <div className="flex items-start gap-4 border-b border-line bg-surface px-4 py-2 text-[13px] md:px-5">
        <dl className="flex min-w-0 flex-1 flex-wrap gap-x-6 gap-y-1">
          <Fact name="Status"><StatusBadge status={errors > 0 ? 'ERROR' : 'OK'} />{errors > 0 && <span className="ml-1.5 text-bad">{count(errors)} failed</span>}</Fact>
          <Fact name="Duration">{duration(timeline.to - timeline.from)}</Fact>
          <Fact name="Cost">{item === null || item.cost === null ? '–' : money(item.cost)}</Fact>
          <Fact name="Tokens">{item === null || item.total_tokens === null ? '–' : <>{compact(item.input_tokens ?? 0)} → {compact(item.output_tokens ?? 0)}</>}</Fact>
          <Fact name="Spans">{count(trace.total)}</Fact>
          <Fact name="Started"><span title={ago(started)}>{dateTime(started)}</span></Fact>
          {item?.user_id != null && <Fact name="User"><UserLink workspace={workspace} id={item.user_id} className={factLink} /></Fact>}
          {item?.session_id != null && <Fact name="Session"><span className="flex items-center gap-1"><SessionLink workspace={workspace} id={item.session_id} className={factLink} /><Neighbours workspace={workspace} item={item} /></span></Fact>}
        </dl>
        <div role="status">{trace.closed_at !== null ? <Badge title={`Closed at ${dateTime(trace.closed_at)}`}>closed</Badge> : growing && <Badge tone="info">growing</Badge>}</div>
      </div>
      {trace.truncated && <p role="note" className="border-b border-line bg-warn-soft px-4 py-1.5 text-[13px] text-warn md:px-5">This trace is too large to be shown completely: {count(trace.spans.length)} of {count(trace.total)} spans are shown.</p>}
    </>
  )
}

function Neighbours({ workspace, item }: { workspace: number; item: TraceItem }) {
  return <><Neighbour workspace={workspace} item={item} by="previous" /><Neighbour workspace={workspace} item={item} by="next" /></>
}

function Neighbour({ workspace, item, by }: { workspace: number; item: TraceItem; by: 'next' | 'previous' }) {
  const other = useQuery(neighbourQuery(workspace, item, by)).data ?? null
  const label = by === 'next' ? 'Next trace of the session' : 'Previous trace of the session'
  const icon = by === 'next' ? <ChevronRight /> : <ChevronLeft />
  if (other === null) return <IconButton small label={label} disabled className="size-6">{icon}</IconButton>
  return (
    <Link to="/$workspace/traces/$trace" params={{ workspace: String(workspace), trace: other.trace_id }} search={{}} aria-label={label} title={`${label}: ${other.name}`} className={`${buttonClass('quiet', true)} size-6 justify-center px-0`}>
      {icon}
    </Link>
  )
}
