import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, ListTree } from 'lucide-react'
import { useMemo } from 'react'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { traces } from '@/query/fields'
import { addFilter } from '@/query/state'
import { CopyText } from '@/request/content'
import { TextViewChoice } from '@/request/text-view-choice'
import { buttonClass, IconButton } from '@/ui/button'
import { BackLink, ErrorState, Loading, Missing, Page } from '@/ui/page'
import { Pager } from '@/ui/table'
import { Fact, factLink } from '../fact'
import type { SessionItem } from '../groups/data'
import { GroupTotals } from '../groups/totals'
import { UserLink } from '../list/cells'
import type { TraceItem } from '../list/list-query'
import { neighbourQuery, sessionQuery, turnsQuery } from './data'
import { TurnView } from './turn-view'
import { useChat } from './use-chat'

/** A session: its totals, and the conversation across its traces. */
export function SessionPage() {
  const { session: id } = useParams({ from: '/$workspace/sessions/$session' })
  const { workspace_id: workspace } = useSession()
  const session = useQuery(sessionQuery(workspace, id))
  const content = session.data ? (
    <Opened key={id} workspace={workspace} session={session.data} />
  ) : session.isError ? (
    <ErrorState error={session.error} retry={() => void session.refetch()} />
  ) : session.data === null ? <Missing what="session" /> : <Loading label="Loading session" />
  return (
    <Page
      title={id}
      fill
      lead={<BackLink to="/$workspace/sessions">Sessions</BackLink>}
      actions={
        <>
          <TextViewChoice />
          <CopyText text={id} what="session ID" />
          <Link to="/$workspace/traces" params={{ workspace: String(workspace) }} search={addFilter({ q: undefined, range: 'all' }, 'session', id, undefined, traces)} className={buttonClass()}><ListTree /> Traces</Link>
        </>
      }
    >
      {content}
    </Page>
  )
}

function Opened({ workspace, session }: { workspace: number; session: SessionItem }) {
  return (
    <>
      <GroupTotals item={session} label="Totals of the session">
        {session.user_count > 0 && (
          <Fact name={session.user_count === 1 ? 'User' : 'Users'}>
            {session.user_id === null ? count(session.user_count) : <span className="flex items-center gap-1"><UserLink workspace={workspace} id={session.user_id} className={factLink} /><Neighbour workspace={workspace} session={session} by="previous" /><Neighbour workspace={workspace} session={session} by="next" /></span>}
          </Fact>
        )}
      </GroupTotals>
      <Chat workspace={workspace} session={session} />
    </>
  )
}

const noItems: TraceItem[] = []

function Chat({ workspace, session }: { workspace: number; session: SessionItem }) {
  const { page = 1 } = useSearch({ from: '/$workspace/sessions/$session' })
  const navigate = useNavigate({ from: '/$workspace/sessions/$session' })
  const version = [session.span_count, session.last_seen].join()
  const found = useQuery(turnsQuery(workspace, session.session_id, page, version))
  const previous = useQuery({ ...turnsQuery(workspace, session.session_id, page - 1, version), enabled: page > 1 }).data?.items
  const before = useMemo(() => (page > 1 ? (previous?.slice(-1) ?? noItems) : noItems), [page, previous])
  const turns = useChat(workspace, before, found.data?.items ?? noItems)
  if (found.isError) return <ErrorState error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading label="Loading conversation" />
  return (
    <div role="region" aria-label="Conversation" tabIndex={0} className={cn('min-h-0 flex-1 overflow-auto', found.isPlaceholderData && 'opacity-60')}>
      <ol className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-4 md:px-5">
        {turns.map((turn) => <li key={turn.item.trace_id}><TurnView turn={turn} workspace={workspace} /></li>)}
      </ol>
      <div className="mx-auto max-w-3xl"><Pager page={page} pages={found.data.pages} total={found.data.total} noun="traces" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} /></div>
    </div>
  )
}

function Neighbour({ workspace, session, by }: { workspace: number; session: SessionItem; by: 'next' | 'previous' }) {
  const other = useQuery(neighbourQuery(workspace, session, by)).data ?? null
  const label = by === 'next' ? 'Next session of the user' : 'Previous session of the user'
  const icon = by === 'next' ? <ChevronRight /> : <ChevronLeft />
  if (other === null) return <IconButton small label={label} disabled className="size-6">{icon}</IconButton>
  return (
    <Link to="/$workspace/sessions/$session" params={{ workspace: String(workspace), session: other.session_id }} search={{}} aria-label={label} title={`${label}: ${other.session_id}`} className={`${buttonClass('quiet', true)} size-6 justify-center px-0`}>
      {icon}
    </Link>
  )
}
