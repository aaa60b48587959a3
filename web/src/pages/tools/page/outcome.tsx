import { ApiError, type Schemas } from '@/api/client'
import { duration } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Spinner } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { JsonView } from '@/ui/json'
import { Card } from '@/ui/page'
import { write } from '../model/parts'

type Answer = Schemas['TriedTool']

/** The outcome of a run: the result and printed output, or the error. */
export function Outcome({ pending, error, answer }: { pending: boolean; error: Error | null; answer: Answer | undefined }) {
  return (
    <div aria-live="polite" className="min-w-0">
      {pending ? (
        <Card title="Result"><p className="flex items-center gap-2 text-dim"><Spinner /> Running. The time limit is one minute.</p></Card>
      ) : error ? (
        <Card title="Could not run"><p className="text-bad">{error.message}</p>{hint(error) && <p className="mt-1 text-[13px] text-dim">{hint(error)}</p>}</Card>
      ) : answer === undefined ? (
        <Card title="Result"><p className="text-dim">Run the tool to see its result, output and duration here.</p></Card>
      ) : (
        <Result {...answer.result} />
      )}
    </div>
  )
}

function hint(error: Error): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.status === 502) return 'This language is not enabled on the server. Ask your administrator to enable Python, or use JavaScript.'
  return error.status === 400 ? 'Check the code and the function name under Definition.' : null
}

function Result({ status, result, stdout, stderr, duration_ms, error }: Answer['result']) {
  return (
    <Card
      title={status === 'success' ? 'Result' : 'Error'}
      actions={
        <span className="flex items-center gap-2">
          <Badge tone={status === 'success' ? 'good' : 'bad'}>{status === 'success' ? 'returned' : 'failed'}</Badge>
          <span className="tabular text-[13px] text-dim">{duration(duration_ms)}</span>
          {status === 'success' && <CopyButton text={() => write(result)} label="Copy result" />}
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        {error ? (
          <p className="rounded-md bg-bad-soft px-3 py-2 break-words whitespace-pre-wrap text-bad"><span className="font-medium">{error.type}:</span> {error.message}</p>
        ) : (
          <div className="overflow-x-auto rounded-md border border-line bg-sunken p-3" tabIndex={0} role="group" aria-label="Result"><JsonView value={result} openTo={4} /></div>
        )}
        <Printed title="Standard output" text={stdout} />
        <Printed title="Standard error" text={stderr} />
        {stdout === '' && stderr === '' && <p className="text-[13px] text-faint">No output</p>}
      </div>
    </Card>
  )
}

function Printed({ title, text }: { title: string; text: string }) {
  if (text === '') return null
  return (
    <section>
      <h3 className="mb-1 text-[13px] font-medium text-dim">{title}</h3>
      <pre tabIndex={0} className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-relaxed whitespace-pre-wrap">{text}</pre>
    </section>
  )
}
