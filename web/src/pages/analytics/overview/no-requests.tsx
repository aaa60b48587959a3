import { Link, useParams } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import type { QueryState } from '@/query/state'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/page'

/** Shown when nothing matches: how to widen the query, or how to log requests. */
export function NoRequests({ state, change }: { state: QueryState; change: (state: QueryState) => void }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const production = state.sources === 'production'
  const everything = state.range === 'all' && state.q === undefined && !production
  if (everything) {
    return (
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title="No requests yet"
        action={<Link to="/$workspace/requests" params={{ workspace }} search={{}} className={buttonClass('primary')}>Log your first request</Link>}
      >
        See the cost, tokens, latency and errors of your requests here, by model, prompt, tag and metadata.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title={state.q === undefined ? 'No requests in this time range' : 'No matching requests'}
      action={
        <div className="flex gap-2">
          {state.q !== undefined && <Button onClick={() => change({ ...state, q: undefined })}>Clear query</Button>}
          {state.range !== 'all' && <Button onClick={() => change({ q: state.q, sources: state.sources, range: 'all' })}>Show all time</Button>}
          {production && <Button onClick={() => change({ ...state, sources: 'all' })}>Show all sources</Button>}
        </div>
      }
    >
      {state.q === undefined ? 'Try a longer or an earlier time range.' : 'No requests in this time range match the query.'}
    </EmptyState>
  )
}
