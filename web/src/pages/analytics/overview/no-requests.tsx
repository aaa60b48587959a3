import { Link, useParams } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import type { QueryState } from '@/query/state'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/page'

/** What stands here when nothing matches: what to widen, or how requests get here at all. */
export function NoRequests({ state, change }: { state: QueryState; change: (state: QueryState) => void }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const everything = state.range === 'all' && state.q === undefined
  if (everything) {
    return (
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title="No requests yet"
        action={<Link to="/$workspace/requests" params={{ workspace }} search={{}} className={buttonClass('primary')}>See how to log the first one</Link>}
      >
        Cost, tokens, latency and errors of every logged request are added up here, by model, prompt, tag and whatever metadata you send along.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title={state.q === undefined ? 'No requests in this time' : 'No requests match'}
      action={
        <div className="flex gap-2">
          {state.q !== undefined && <Button onClick={() => change({ ...state, q: undefined })}>Clear the query</Button>}
          {state.range !== 'all' && <Button onClick={() => change({ q: state.q, range: 'all' })}>Look at all time</Button>}
        </div>
      }
    >
      {state.q === undefined ? 'Nothing was logged then. An earlier or a longer time may have more.' : 'Nothing was logged in this time that fits the query.'}
    </EmptyState>
  )
}
