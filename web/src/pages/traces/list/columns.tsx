import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ago, compact, count, dateTime, duration, money, shortTime } from '@/lib/format'
import type { TraceSortField } from '@/query/fields'
import { StatusBadge } from '@/ui/badge'
import type { Column } from '@/ui/table'
import type { ListQuery, TraceItem } from './list-query'

const none = <span className="text-faint">–</span>

interface Actions {
  list: ListQuery
  onSort: (field: TraceSortField) => void
  /** Adds a filter to the query. */
  onFilter: (field: string, value: string) => void
}

/** The columns of the list. */
export function columnsOf({ list, onSort, onFilter }: Actions): Column<TraceItem>[] {
  const sortable = (field: TraceSortField, title: string): Pick<Column<TraceItem>, 'header' | 'sorted'> => {
    const order = list.sort === field ? list.order : undefined
    return {
      header: <SortButton title={title} order={order} onClick={() => onSort(field)} />,
      sorted: order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending',
    }
  }
  return [
    { header: 'Name', className: 'w-full min-w-48', cell: (item) => <Name item={item} workspace={list.workspace} /> },
    { header: 'Status', cell: (item) => <Status item={item} /> },
    { ...sortable('trace_duration_ms', 'Duration'), className: 'tabular text-right', cell: (item) => duration(item.duration_ms) },
    { ...sortable('trace_total_cost_usd', 'Cost'), className: 'tabular text-right', cell: (item) => (item.cost === null ? none : money(item.cost)) },
    { ...sortable('trace_total_tokens', 'Tokens'), className: 'tabular text-right', cell: (item) => <Tokens item={item} /> },
    { ...sortable('trace_span_count', 'Spans'), className: 'tabular text-right', cell: (item) => compact(item.span_count) },
    { header: 'User', className: 'max-w-40', cell: (item) => <FilterButton field="user" value={item.user_id} onFilter={onFilter} /> },
    { header: 'Session', className: 'max-w-40', cell: (item) => <FilterButton field="session" value={item.session_id} onFilter={onFilter} /> },
    { ...sortable('trace_start', 'Start'), className: 'tabular text-dim whitespace-nowrap', cell: (item) => <time dateTime={item.start_time} title={`${dateTime(item.start_time)} (${ago(item.start_time)})`}>{shortTime(item.start_time)}</time> },
  ]
}

function SortButton({ title, order, onClick }: { title: string; order: 'asc' | 'desc' | undefined; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} title={`Sort by ${title.toLowerCase()}`} className={cn('inline-flex items-center gap-1 rounded hover:text-ink', order && 'text-ink')}>
      {title}
      {order === 'asc' && <ArrowUp className="size-3" />}
      {order === 'desc' && <ArrowDown className="size-3" />}
    </button>
  )
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

function Tokens({ item }: { item: TraceItem }) {
  if (item.total_tokens === null) return none
  return <span title={`${count(item.input_tokens ?? 0)} input, ${count(item.output_tokens ?? 0)} output`}>{compact(item.total_tokens)}</span>
}

function FilterButton({ field, value, onFilter }: { field: 'user' | 'session'; value: string | null; onFilter: Actions['onFilter'] }) {
  if (value === null) return none
  return <button type="button" title={`Show only traces of ${field} ${value}`} onClick={() => onFilter(field, value)} className="max-w-full truncate rounded text-left hover:underline">{value}</button>
}
