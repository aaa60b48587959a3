import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { compact, count, duration } from '@/lib/format'
import type { TraceSortField } from '@/query/fields'
import { StatusBadge } from '@/ui/badge'
import type { Column } from '@/ui/table'
import { At, Cost, none, SessionLink, Tokens, UserLink } from './cells'
import type { TraceItem } from './list-query'
import { sortable, type Sorting } from './sorting'

const numbers = 'tabular text-right'

/** The columns of a list of traces. */
export function columnsOf(workspace: number, sorting?: Sorting<TraceSortField>): Column<TraceItem>[] {
  return [
    { header: 'Name', className: 'w-full min-w-48', cell: (item) => <Name item={item} workspace={workspace} /> },
    { header: 'Status', cell: (item) => <Status item={item} /> },
    { ...sortable(sorting, 'trace_duration_ms', 'Duration'), className: numbers, cell: (item) => duration(item.duration_ms) },
    { ...sortable(sorting, 'trace_total_cost_usd', 'Cost'), className: numbers, cell: (item) => <Cost dollars={item.cost} /> },
    { ...sortable(sorting, 'trace_total_tokens', 'Tokens'), className: numbers, cell: (item) => <Tokens item={item} /> },
    { ...sortable(sorting, 'trace_span_count', 'Spans'), className: numbers, cell: (item) => compact(item.span_count) },
    { header: 'User', className: 'max-w-40', cell: (item) => (item.user_id === null ? none : <UserLink workspace={workspace} id={item.user_id} />) },
    { header: 'Session', className: 'max-w-40', cell: (item) => (item.session_id === null ? none : <SessionLink workspace={workspace} id={item.session_id} />) },
    { ...sortable(sorting, 'trace_start', 'Start'), className: 'tabular text-dim whitespace-nowrap', cell: (item) => <At time={item.start_time} /> },
  ]
}

function Name({ item, workspace }: { item: TraceItem; workspace: number }) {
  return (
    <Link to="/$workspace/traces/$trace" params={{ workspace: String(workspace), trace: item.trace_id }} search={{}} title={[...item.models, ...item.tool_names].join(', ') || undefined} className="font-medium text-accent-ink hover:underline">
      {item.name === '' ? item.trace_id : item.name}
    </Link>
  )
}

/** Most traces succeed, so only the others stand out. */
function Status({ item }: { item: TraceItem }): ReactNode {
  if (item.status === 'ERROR') return <span title={`${count(item.error_count)} failed ${item.error_count === 1 ? 'span' : 'spans'}`}><StatusBadge status="ERROR" /></span>
  return <span className="flex items-center gap-1.5 text-dim"><span aria-hidden className="size-1.5 rounded-full bg-good" /> ok</span>
}
