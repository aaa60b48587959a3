import { compact, count } from '@/lib/format'
import type { Column } from '@/ui/table'
import { At, Cost, none, SessionLink, Tokens, UserLink } from '../list/cells'
import { sortable, type Sorting } from '../list/sorting'
import type { GroupSort } from '../search'
import type { GroupItem, SessionItem, UserItem } from './data'

const numbers = 'tabular text-right'
const first = 'w-full min-w-48 font-medium'

/** The columns of a list of sessions. */
export function sessionColumns(workspace: number, sorting?: Sorting<GroupSort>): Column<SessionItem>[] {
  return [
    { header: 'Session', className: first, cell: (item) => <SessionLink workspace={workspace} id={item.session_id} /> },
    { header: 'User', className: 'max-w-40', cell: (item) => <SessionUser item={item} workspace={workspace} /> },
    ...groupColumns(sorting),
  ]
}

/** The columns of a list of users. */
export function userColumns(workspace: number, sorting?: Sorting<GroupSort>): Column<UserItem>[] {
  return [
    { header: 'User', className: first, cell: (item) => <UserLink workspace={workspace} id={item.user_id} /> },
    { header: 'Sessions', className: numbers, cell: (item) => compact(item.session_count) },
    ...groupColumns(sorting),
  ]
}

function groupColumns(sorting: Sorting<GroupSort> | undefined): Column<GroupItem>[] {
  return [
    { ...sortable(sorting, 'trace_count', 'Traces'), className: numbers, cell: (item) => compact(item.trace_count) },
    { header: 'Requests', className: numbers, cell: (item) => compact(item.request_count) },
    { ...sortable(sorting, 'total_tokens', 'Tokens'), className: numbers, cell: (item) => <Tokens item={item} /> },
    { ...sortable(sorting, 'cost', 'Cost'), className: numbers, cell: (item) => <Cost dollars={item.cost} /> },
    { ...sortable(sorting, 'error_count', 'Errors'), className: numbers, cell: (item) => <Errors item={item} /> },
    { ...sortable(sorting, 'first_seen', 'First seen'), className: 'tabular text-dim whitespace-nowrap', cell: (item) => <At time={item.first_seen} /> },
    { ...sortable(sorting, 'last_seen', 'Last seen'), className: 'tabular text-dim whitespace-nowrap', cell: (item) => <At time={item.last_seen} /> },
  ]
}

function SessionUser({ item, workspace }: { item: SessionItem; workspace: number }) {
  if (item.user_id !== null) return <UserLink workspace={workspace} id={item.user_id} />
  return item.user_count === 0 ? none : <span className="text-dim">{count(item.user_count)} users</span>
}

function Errors({ item }: { item: GroupItem }) {
  if (item.error_count === 0) return <span className="text-faint">0</span>
  return <span title={`${count(item.error_count)} failed ${item.error_count === 1 ? 'span' : 'spans'}`} className="font-medium text-bad">{compact(item.error_count)}</span>
}
