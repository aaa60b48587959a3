import { StatusBadge } from '@/ui/badge'
import { CopyButton } from '@/ui/copy'
import { JsonView } from '@/ui/json'
import type { NodeResult } from '../data'

const explanations: Partial<Record<NodeResult['status'], string>> = {
  QUEUED: 'Waiting for its dependencies.',
  RUNNING: 'In progress.',
  SKIPPED: 'A condition was not met, or a dependency has no value.',
}

/** The result of a node in a run. */
export function NodeOutcome({ result }: { result: NodeResult }) {
  const { value } = result
  return (
    <section className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <div className="flex items-center gap-2">
        <h3 className="text-[13px] font-semibold">In this run</h3>
        <StatusBadge status={result.status} />
        {result.status === 'SUCCESS' && <CopyButton className="ml-auto" label="Copy value" text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />}
      </div>
      {explanations[result.status] && <p className="text-[13px] text-dim">{explanations[result.status]}</p>}
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

/** Any value: text as is, everything else as JSON. */
export function OutputValue({ value }: { value: unknown }) {
  return (
    <div tabIndex={0} className="max-h-80 overflow-auto rounded border border-line bg-surface p-2 text-[13px]">
      {typeof value === 'string' && value !== '' ? <p className="break-words whitespace-pre-wrap">{value}</p> : <JsonView value={value} />}
    </div>
  )
}
