import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListTree } from 'lucide-react'
import { narrow } from '@/query/state'
import { EmptyState } from '@/ui/page'
import { readSearch, type Search } from '../search'
import { columnsOf } from './columns'
import { Histogram } from './histogram'
import { pageQuery } from './list-query'
import { QueriedList } from './queried-list'
import { useListQuery } from './use-list'

/** The traces that match a query. */
export function TraceList() {
  const search = useSearch({ from: '/$workspace/traces' })
  const navigate = useNavigate({ from: '/$workspace/traces' })
  const change = (next: Search, replace = false) => void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace })
  const [list, refresh] = useListQuery(search, 'trace_start')
  const answer = useQuery(pageQuery(list, search.page ?? 1))
  return (
    <QueriedList
      noun="traces"
      search={search}
      read={readSearch}
      change={change}
      answer={answer}
      refresh={refresh}
      columns={columnsOf(list.workspace, { sort: list.sort, order: list.order, onSort: (sort, order) => change({ sort, order }) })}
      rowKey={(item) => item.trace_id}
      onOpen={(item) => void navigate({ to: '/$workspace/traces/$trace', params: { workspace: String(list.workspace), trace: item.trace_id }, search: {} })}
      chart={<Histogram list={list} ready={answer.data !== undefined} onNarrow={(from, to) => { const next = narrow(search, from, to); change({ range: next.range, from: next.from, to: next.to }) }} />}
      empty={<EmptyState title="No traces yet" icon={<ListTree />}>Send spans with an OpenTelemetry exporter to <code className="font-mono">/v1/traces</code> to see your agents as trees of calls.</EmptyState>}
    />
  )
}
