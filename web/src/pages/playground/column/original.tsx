import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { compact, duration, money } from '@/lib/format'
import { messageText, readBlueprint } from '@/request/blueprint'
import { replayQuery } from '@/request/data'
import { CopyButton } from '@/ui/copy'
import { ErrorState, Loading } from '@/ui/page'
import { answerOfLog } from '../model/start'
import { Contents } from './output'

/** The logged answer of the request that the session started from, to compare new answers with. */
export function Original({ request }: { request: number }) {
  const { workspace_id: workspace } = useSession()
  const { data, error, refetch } = useQuery(replayQuery(workspace, request))
  return (
    <section aria-label="Original answer" className="flex min-w-0 flex-col border-line max-lg:border-b lg:min-w-76 lg:flex-1 lg:overflow-auto lg:border-r">
      <header className="sticky top-0 z-10 flex flex-col gap-1 border-b border-line bg-surface px-3 py-2">
        <div className="flex h-7 items-center gap-2">
          <h2 className="text-[13px] font-semibold">Original</h2>
          <Link to="/$workspace/requests" params={{ workspace: String(workspace) }} search={{ request, range: 'all' }} className="ml-auto text-[13px] text-accent-ink underline">Request {request}</Link>
        </div>
        <p className="flex h-8 min-w-0 items-center truncate text-[13px] text-dim">{data === undefined ? '' : `${data.provider ?? ''}/${data.model ?? ''}`}</p>
      </header>
      <div className="p-3">{data !== undefined ? <Logged request={data} /> : error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading label="Loading request" />}</div>
    </section>
  )
}

interface LoggedAnswer {
  prompt_blueprint: Record<string, unknown>
  input_tokens?: number
  output_tokens?: number
  price?: number
  latency_ms?: number
}

function Logged({ request }: { request: LoggedAnswer }) {
  const answer = answerOfLog(request.prompt_blueprint)
  const [read] = answer === null ? [] : readBlueprint({ prompt_template: { type: 'chat', messages: [answer] } }).messages
  const text = read === undefined ? '' : messageText(read)
  const numbers = [
    ['Tokens', `${compact(request.input_tokens ?? 0)} → ${compact(request.output_tokens ?? 0)}`],
    ['Cost', request.price === 0 ? '–' : money(request.price ?? 0)],
    ['Latency', duration(request.latency_ms ?? 0)],
  ]
  return (
    <article aria-label="Logged answer" className="rounded-lg border border-l-[3px] border-line border-l-line-strong bg-surface">
      <header className="flex h-8 items-center gap-2 px-3 text-xs">
        <h3 className="font-semibold text-dim">assistant</h3>
        {text !== '' && <CopyButton text={text} label="Copy original answer" className="ml-auto size-6" />}
      </header>
      <div className="flex flex-col gap-2 px-3 pb-2.5">{answer === null ? <span className="text-faint">No answer was logged</span> : <Contents message={answer} />}</div>
      <footer className="rounded-b-lg border-t border-line bg-canvas px-3 py-1.5 text-xs">
        <dl className="flex flex-wrap gap-x-4 gap-y-1">{numbers.map(([name, value]) => <div key={name}><dt className="text-faint">{name}</dt><dd className="tabular font-medium">{value}</dd></div>)}</dl>
      </footer>
    </article>
  )
}
