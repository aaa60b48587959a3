import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ListTree } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { spanColumns } from '@/export/columns'
import { narrow, traceBody } from '@/query/state'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/page'
import { readSearch, type Search } from '../search'
import { columnsOf } from './columns'
import { Histogram } from './histogram'
import { pageQuery, type ListQuery } from './list-query'
import { QueriedList } from './queried-list'
import { useListQuery } from './use-list'

const ExportDialog = lazy(() => import('@/export/export-dialog').then((module) => ({ default: module.ExportDialog })))

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
      actions={<ExportButton list={list} total={answer.data?.total} />}
      chart={<Histogram list={list} ready={answer.data !== undefined} onNarrow={(from, to) => { const next = narrow(search, from, to); change({ range: next.range, from: next.from, to: next.to }) }} />}
      empty={<EmptyState title="No traces yet" icon={<ListTree />}>Send spans with an OpenTelemetry exporter to <code className="font-mono">/v1/traces</code> to see your agents as trees of calls.</EmptyState>}
    />
  )
}

/** Exports the spans of all traces that match. */
function ExportButton({ list: { workspace, state, epoch }, total }: { list: ListQuery; total: number | undefined }) {
  const [open, setOpen] = useState(false)
  const query = JSON.stringify(traceBody(state, epoch))
  const source = { path: '/api/public/v2/traces/export', workspace, parameters: { query }, columns: spanColumns, scheduled: { source: 'traces' as const, query } }
  return (
    <>
      <Button small look="quiet" disabled={total === undefined || total === 0} onClick={() => setOpen(true)}><Download /> Export</Button>
      {open && <Suspense><ExportDialog source={source} noun="traces" total={total} onClose={() => setOpen(false)} /></Suspense>}
    </>
  )
}
