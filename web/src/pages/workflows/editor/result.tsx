import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { duration, money } from '@/lib/format'
import { StatusBadge } from '@/ui/badge'
import { CopyButton } from '@/ui/copy'
import { JsonView } from '@/ui/json'
import { runTraceQuery, type NodeResult } from '../data'
import { factsOf } from '../model/node-facts'

const explanations: Partial<Record<NodeResult['status'], string>> = {
  QUEUED: 'Waiting for its dependencies.',
  RUNNING: 'In progress.',
  SKIPPED: 'A condition was not met, or a dependency has no value.',
}

/** The result of a node in a run. */
export function NodeOutcome({ result, node, trace }: { result: NodeResult; node: { name: string; node_type: string }; /** The trace of the run, once it has ended. */ trace: string | null }) {
  const { value } = result
  return (
    <section className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <div className="flex items-center gap-2">
        <h3 className="text-[13px] font-semibold">In this run</h3>
        <StatusBadge status={result.status} />
        {result.status === 'SUCCESS' && <CopyButton className="ml-auto" label="Copy value" text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />}
      </div>
      {trace !== null && <Facts node={node} trace={trace} />}
      <p className="text-[13px] text-dim empty:hidden">{explanationOf(result)}</p>
      {result.error_message !== null && <p className="text-[13px] break-words text-bad">{result.error_message}</p>}
      {result.raw_error_message !== null && result.raw_error_message !== result.error_message && (
        <details className="text-[13px]">
          <summary className="text-dim">Full message</summary>
          <pre tabIndex={0} className="mt-1 overflow-auto font-mono text-xs whitespace-pre-wrap">{result.raw_error_message}</pre>
        </details>
      )}
      {result.status === 'SUCCESS' && <OutputValue value={value} />}
    </section>
  )
}

/** What a status means; nothing if it is clear. */
function explanationOf({ status, retries = 0 }: NodeResult): string {
  if (retries === 0) return explanations[status] ?? ''
  if (status === 'QUEUED') return `Failed; retry ${retries} starts soon.`
  if (status === 'RUNNING') return `Retry ${retries} is in progress.`
  return `${status === 'SUCCESS' ? 'Succeeded' : 'Failed'} after ${retries} ${retries === 1 ? 'retry' : 'retries'}.`
}

/** The time and cost of a node, and its requests. */
function Facts({ node, trace }: { node: { name: string; node_type: string }; trace: string }) {
  const workspace = useSession().workspace_id
  const { data } = useQuery(runTraceQuery(workspace, trace))
  const facts = data === undefined ? null : factsOf(data.spans, data.prices, node)
  if (facts === null || data === undefined) return null
  return (
    <p className="flex flex-wrap gap-x-3 text-[13px] text-dim">
      <span>Time {duration(facts.time)}</span>
      {facts.requests.length > 0 && data.priced && <span>Cost {money(facts.cost)}</span>}
      {facts.requests.slice(0, 5).map((request) => (
        <Link key={request} to="/$workspace/requests" params={{ workspace: String(workspace) }} search={{ request, range: 'all' }} className="text-accent-ink underline">Request {request}</Link>
      ))}
      {facts.requests.length > 5 && <span>and {facts.requests.length - 5} more requests</span>}
    </p>
  )
}

/** Any value: text as is, everything else as JSON. */
export function OutputValue({ value }: { value: unknown }) {
  return (
    <div tabIndex={0} className="max-h-80 overflow-auto rounded border border-line bg-surface p-2 text-[13px]">
      {typeof value === 'string' && value !== '' ? <p className="break-words whitespace-pre-wrap">{value}</p> : <JsonView value={value} />}
    </div>
  )
}
