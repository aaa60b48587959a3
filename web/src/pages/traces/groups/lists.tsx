import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessagesSquare, Users } from 'lucide-react'
import { EmptyState } from '@/ui/page'
import { QueriedList } from '../list/queried-list'
import { useListQuery } from '../list/use-list'
import { readGroupSearch, type GroupSearch } from '../search'
import { sessionColumns, userColumns } from './columns'
import { sessionsQuery, usersQuery } from './data'

/** The sessions of the traces that match a query. */
export function SessionList() {
  const search = useSearch({ from: '/$workspace/sessions' })
  const navigate = useNavigate({ from: '/$workspace/sessions' })
  const change = (next: GroupSearch, replace = false) => void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace })
  const [list, refresh] = useListQuery(search, 'last_seen')
  const workspace = String(list.workspace)
  return (
    <QueriedList
      noun="sessions"
      search={search}
      read={readGroupSearch}
      change={change}
      answer={useQuery(sessionsQuery(list, search.page ?? 1))}
      refresh={refresh}
      columns={sessionColumns(list.workspace, { sort: list.sort, order: list.order, onSort: (sort, order) => change({ sort, order }) })}
      rowKey={(item) => item.session_id}
      onOpen={(item) => void navigate({ to: '/$workspace/sessions/$session', params: { workspace, session: item.session_id }, search: {} })}
      empty={<EmptyState title="No sessions yet" icon={<MessagesSquare />}>Traces with the same <code className="font-mono">session.id</code> or <code className="font-mono">gen_ai.conversation.id</code> are a session. Set one of these attributes on your spans to see whole conversations here.</EmptyState>}
    />
  )
}

/** The users of the traces that match a query. */
export function UserList() {
  const search = useSearch({ from: '/$workspace/users' })
  const navigate = useNavigate({ from: '/$workspace/users' })
  const change = (next: GroupSearch, replace = false) => void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace })
  const [list, refresh] = useListQuery(search, 'last_seen')
  const workspace = String(list.workspace)
  return (
    <QueriedList
      noun="users"
      search={search}
      read={readGroupSearch}
      change={change}
      answer={useQuery(usersQuery(list, search.page ?? 1))}
      refresh={refresh}
      columns={userColumns(list.workspace, { sort: list.sort, order: list.order, onSort: (sort, order) => change({ sort, order }) })}
      rowKey={(item) => item.user_id}
      onOpen={(item) => void navigate({ to: '/$workspace/users/$user', params: { workspace, user: item.user_id }, search: {} })}
      empty={<EmptyState title="No users yet" icon={<Users />}>Set the attribute <code className="font-mono">user.id</code> on your spans to see what each user of your application does and costs.</EmptyState>}
    />
  )
}
