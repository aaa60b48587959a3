import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { traces } from '@/query/fields'
import { addFilter } from '@/query/state'
import { CopyText } from '@/request/content'
import { BackLink, EmptyState, ErrorState, Loading, Missing, Page } from '@/ui/page'
import { Pager, SimpleTable, type Column } from '@/ui/table'
import { TabPanel, Tabs } from '@/ui/tabs'
import { Fact } from '../fact'
import { sessionColumns } from '../groups/columns'
import { sessionsQuery, type UserItem } from '../groups/data'
import { GroupTotals } from '../groups/totals'
import { columnsOf } from '../list/columns'
import { pageQuery } from '../list/list-query'
import { DeleteUser, UserLinks } from './user-links'
import { userQuery } from './data'

/** A user of the application: totals, sessions and traces. */
export function UserPage() {
  const { user: id } = useParams({ from: '/$workspace/users/$user' })
  const { workspace_id: workspace } = useSession()
  const user = useQuery(userQuery(workspace, id))
  const content = user.data ? (
    <Opened key={id} workspace={workspace} user={user.data} />
  ) : user.isError ? (
    <ErrorState error={user.error} retry={() => void user.refetch()} />
  ) : user.data === null ? <Missing what="user" /> : <Loading label="Loading user" />
  return (
    <Page title={id} fill lead={<BackLink to="/$workspace/users">Users</BackLink>} actions={<><CopyText text={id} what="user ID" /><UserLinks workspace={workspace} id={id} /><DeleteUser workspace={workspace} id={id} /></>}>
      {content}
    </Page>
  )
}

function Opened({ workspace, user }: { workspace: number; user: UserItem }) {
  const { tab = 'sessions', page = 1 } = useSearch({ from: '/$workspace/users/$user' })
  const navigate = useNavigate({ from: '/$workspace/users/$user' })
  const [epoch] = useState(Date.now)
  const state = addFilter({ q: undefined, range: 'all' }, 'user', user.user_id, undefined, traces)
  const sessions = useQuery({ ...sessionsQuery({ workspace, state, sort: 'last_seen', order: 'desc', epoch }, page), enabled: tab === 'sessions' })
  const found = useQuery({ ...pageQuery({ workspace, state, sort: 'trace_start', order: 'desc', epoch }, page), enabled: tab === 'traces' })
  const onPage = (next: number) => void navigate({ search: (old) => ({ ...old, page: next }) })
  return (
    <>
      <GroupTotals item={user} label="Totals of the user"><Fact name="Sessions">{count(user.session_count)}</Fact></GroupTotals>
      <Tabs
        label="Of this user"
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'sessions' ? undefined : next } })}
        tabs={[{ value: 'sessions', label: `Sessions (${count(user.session_count)})` }, { value: 'traces', label: `Traces (${count(user.trace_count)})` }]}
        className="min-h-0 flex-1 bg-surface text-[13px]"
      >
        <TabPanel value="sessions" className="overflow-auto">
          <Rows noun="sessions" answer={sessions} page={page} onPage={onPage} columns={withoutUser(sessionColumns(workspace))} rowKey={(item) => item.session_id} onOpen={({ session_id }) => void navigate({ to: '/$workspace/sessions/$session', params: { workspace: String(workspace), session: session_id }, search: {} })} />
        </TabPanel>
        <TabPanel value="traces" className="overflow-auto">
          <Rows noun="traces" answer={found} page={page} onPage={onPage} columns={withoutUser(columnsOf(workspace))} rowKey={(item) => item.trace_id} onOpen={({ trace_id }) => void navigate({ to: '/$workspace/traces/$trace', params: { workspace: String(workspace), trace: trace_id }, search: {} })} />
        </TabPanel>
      </Tabs>
    </>
  )
}

/** The user is that of the page. */
function withoutUser<Item>(columns: Column<Item>[]): Column<Item>[] {
  return columns.filter(({ header }) => header !== 'User')
}

function Rows<Item>({ noun, answer, page, onPage, columns, rowKey, onOpen }: {
  noun: 'sessions' | 'traces'
  answer: UseQueryResult<{ items: Item[]; total: number; pages: number }>
  page: number
  onPage: (page: number) => void
  columns: Column<Item>[]
  rowKey: (item: Item) => string
  onOpen: (item: Item) => void
}) {
  if (answer.isError) return <ErrorState error={answer.error} retry={() => void answer.refetch()} />
  if (answer.data === undefined) return <Loading label={`Loading ${noun}`} />
  if (answer.data.total === 0) return <EmptyState title={`No ${noun}`}>{noun === 'sessions' ? 'The traces of this user are in no session.' : undefined}</EmptyState>
  return (
    <div className={cn(answer.isPlaceholderData && 'opacity-60')}>
      <SimpleTable label={noun === 'sessions' ? 'Sessions' : 'Traces'} rows={answer.data.items} rowKey={rowKey} onOpen={onOpen} columns={columns} />
      <Pager page={page} pages={answer.data.pages} total={answer.data.total} noun={noun} onPage={onPage} />
    </div>
  )
}
