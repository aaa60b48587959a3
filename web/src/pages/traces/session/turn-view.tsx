import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { compact, count, duration, money } from '@/lib/format'
import { readBlueprint } from '@/request/blueprint'
import { Conversation } from '@/request/conversation'
import { StatusBadge } from '@/ui/badge'
import { Loading } from '@/ui/page'
import { At } from '../list/cells'
import type { Turn } from './use-chat'

const emptyBlueprint = readBlueprint(undefined)
const link = 'text-accent-ink hover:underline'

/** One trace of a session: what was said in it, and where to read more. */
export function TurnView({ turn, workspace }: { turn: Turn; workspace: number }) {
  const { item } = turn
  const name = item.name === '' ? item.trace_id : item.name
  return (
    <section aria-label={name} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line pb-1 text-[13px]">
        <h2 className="min-w-0 truncate font-semibold">
          <Link to="/$workspace/traces/$trace" params={{ workspace: String(workspace), trace: item.trace_id }} search={{}} className={link} title="Open trace">{name}</Link>
        </h2>
        <span className="tabular text-dim"><At time={item.start_time} /></span>
        <span className="tabular ml-auto flex flex-wrap items-baseline gap-x-3 text-dim">
          {item.status === 'ERROR' && <StatusBadge status="ERROR" />}
          <span>{duration(item.duration_ms)}</span>
          {item.total_tokens !== null && <span>{compact(item.total_tokens)} tokens</span>}
          {item.cost !== null && <span>{money(item.cost)}</span>}
        </span>
      </header>
      <Content turn={turn} workspace={workspace} />
      {turn.error !== undefined && <p className="flex items-start gap-1.5 rounded-md bg-bad-soft px-3 py-1.5 text-[13px] text-bad"><CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" /><span className="min-w-0 break-words">{turn.error.slice(0, 500)}</span></p>}
    </section>
  )
}

function Content({ turn, workspace }: { turn: Turn; workspace: number }): ReactNode {
  const { item, state, parts, hidden } = turn
  if (state === 'loading') return <Loading label="Loading messages" />
  if (state === 'failed') return <Note>The messages of this trace could not be loaded.</Note>
  if (state === 'large') return <Note>This trace has {count(item.span_count)} spans. Open it to read its messages.</Note>
  const told = parts.filter(({ messages }) => messages.length > 0)
  if (told.length === 0) return <Note>No messages in this trace.</Note>
  return (
    <>
      {hidden > 0 && <Note>{`${count(hidden)} earlier model ${hidden === 1 ? 'call is' : 'calls are'} not shown. Open the trace to see them.`}</Note>}
      {told.map(({ request, messages }, index) => (
        <div key={index} className="flex flex-col gap-1">
          <Conversation choice={false} blueprint={{ ...emptyBlueprint, messages }} />
          {request !== undefined && (
            <Link to="/$workspace/requests" params={{ workspace: String(workspace) }} search={{ range: 'all', request }} className={`${link} self-end text-xs`}>Request {request}</Link>
          )}
        </div>
      ))}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-[13px] text-dim">{children}</p>
}
