import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { compact, duration, money } from '@/lib/format'
import { messageText, readBlueprint } from '@/request/blueprint'
import { CallView, ContentView, Folded } from '@/request/content'
import { readModel, type Message } from '@/template/types'
import { Badge } from '@/ui/badge'
import { Spinner } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { useConfigured } from '../data'
import type { Answer, Failure } from '../run/answer'
import { useAnswer } from '../run/answers'
import type { ColumnProps } from './column-props'

/** The answer of a column, complete or in progress. */
export function Output({ column, position, playground: { answers, session } }: Pick<ColumnProps, 'column' | 'position' | 'playground'>) {
  const answer = useAnswer(answers, column.id)
  const box = useRef<HTMLElement>(null)
  const goesOn = answer?.state === 'running' && column.talk.length > 0 ? answer.began : null
  useEffect(() => {
    // In a long conversation the next answer starts out of view.
    if (goesOn !== null) box.current?.scrollIntoView({ block: 'start' })
  }, [goesOn])
  if (answer === null) {
    return column.talk.length > 0 || session.columns.length > 1 ? null : (
      <p className="rounded-lg border border-dashed border-line-strong px-4 py-10 text-center text-dim">Run the prompt to see the answer here, with tokens, cost and latency. Every call is logged as a request.</p>
    )
  }
  return (
    <article ref={box} aria-label={`Answer of column ${position}`} aria-busy={answer.state === 'running'} className={cn('scroll-mt-28 rounded-lg border border-l-[3px] border-line bg-surface', answer.state === 'failed' ? 'border-l-bad' : 'border-l-accent')}>
      <header className="flex h-8 items-center gap-2 px-3 text-xs">
        <h3 className="font-semibold text-accent-ink">assistant</h3>
        <State answer={answer} />
        {answer.text !== '' && <CopyButton text={answer.text} label="Copy answer" className="ml-auto size-6" />}
      </header>
      {answer.failure === null ? <Said answer={answer} /> : <FailureNote failure={answer.failure} provider={readModel(column.metadata)?.provider ?? ''} said={answer.text} />}
      {answer.warning !== null && <p className="mx-3 mb-2 rounded-md bg-warn-soft px-2.5 py-1.5 text-[13px] whitespace-pre-line text-warn">{answer.warning}</p>}
      <Numbers answer={answer} />
    </article>
  )
}

function State({ answer }: { answer: Answer }) {
  if (answer.state === 'running') return <span role="status" className="inline-flex items-center gap-1.5 text-faint"><Spinner className="size-3" /> <Elapsed since={answer.began} /></span>
  if (answer.state === 'stopped') return <Badge tone="warn" title="The call was cancelled. The partial answer is logged.">stopped</Badge>
  if (answer.state === 'failed') return <Badge tone="bad">failed</Badge>
  return null
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden className="tabular">{((now - since) / 1000).toFixed(1)} s</span>
}

/** The text while it streams and, once complete, all of its content. */
function Said({ answer }: { answer: Answer }) {
  if (answer.state === 'done' && answer.output.length > 0) {
    return <div className="flex flex-col gap-2 px-3 pb-2.5">{answer.output.map((message, index) => <Contents key={index} message={message} />)}</div>
  }
  return (
    <div className="flex flex-col gap-2 px-3 pb-2.5">
      {answer.thinking !== '' && <Folded summary="Thinking" open={answer.text === ''}><div className="text-[13px] break-words whitespace-pre-wrap text-dim">{answer.thinking}</div></Folded>}
      {answer.text !== '' && <div className="break-words whitespace-pre-wrap">{answer.text}{answer.state === 'running' && <span aria-hidden className="ml-0.5 inline-block h-[1em] w-1.5 animate-pulse bg-accent align-text-bottom" />}</div>}
      {answer.text === '' && answer.thinking === '' && <span className="text-faint">{answer.state === 'running' ? 'Waiting for the answer…' : 'Empty answer'}</span>}
    </div>
  )
}

/** The content of a message and its tool calls. */
export function Contents({ message }: { message: Message }) {
  const [read] = readBlueprint({ prompt_template: { type: 'chat', messages: [message] } }).messages
  if (read === undefined) return null
  const silent = read.calls.length === 0 && read.content.every((content) => content.kind === 'text' && content.text === '')
  return (
    <>
      {read.content.map((content, index) => <ContentView key={index} content={content} />)}
      {read.calls.map((call, index) => <CallView key={index} call={call} />)}
      {silent && messageText(read) === '' && <span className="text-faint">Empty answer</span>}
    </>
  )
}

function FailureNote({ failure, provider, said }: { failure: Failure; provider: string; said: string }) {
  return (
    <div className="flex flex-col gap-2 px-3 pb-2.5">
      {said !== '' && <div className="break-words whitespace-pre-wrap text-dim">{said}</div>}
      <div role="alert" className="flex gap-2 rounded-md bg-bad-soft px-2.5 py-2 text-[13px] text-bad">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          <p className="break-words whitespace-pre-line">{failure.message}</p>
          {failure.refused && <Remedy provider={provider} message={failure.message} />}
        </div>
      </div>
    </div>
  )
}

/** A link to configure a provider that cannot be called. Unlisted ones are configured by an environment variable. */
function Remedy({ provider, message }: { provider: string; message: string }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  if (useConfigured(provider) === false) {
    return <Link to="/$workspace/settings/$section" params={{ workspace, section: 'providers' }} search={{}} className="font-medium underline">Add a key</Link>
  }
  if (!message.includes('_BASE_URL')) return null
  return <Link to="/$workspace/settings/$section" params={{ workspace, section: 'environment' }} search={{}} className="font-medium underline">Environment variables</Link>
}

/** Tokens, cost and time of a call, and its log. */
function Numbers({ answer: { stats, request, firstWord } }: { answer: Answer }) {
  const { workspace_id: workspace } = useSession()
  if (stats === null && request === null) return null
  const parts = stats === null ? [] : [
    ['Tokens', `${compact(stats.inputTokens)} → ${compact(stats.outputTokens)}`, 'input and output'],
    ['Cost', stats.price === null ? 'unknown' : money(stats.price), stats.price === null ? 'The price of this model is unknown' : undefined],
    ['Latency', duration(stats.latency), 'measured by the server'],
    // The way to the browser can take longer than a quick answer, and says nothing about the model then.
    ...(firstWord === null || firstWord >= stats.latency ? [] : [['First token', duration(firstWord), 'measured in the browser']]),
    ...(stats.finishReason !== null && !['stop', 'end_turn', 'STOP'].includes(stats.finishReason) ? [['Finish reason', stats.finishReason.replaceAll('_', ' '), undefined]] : []),
  ]
  return (
    <footer className="flex flex-wrap items-end gap-x-4 gap-y-1 rounded-b-lg border-t border-line bg-canvas px-3 py-1.5 text-xs">
      <dl className="contents">
        {parts.map(([name, value, title]) => (
          <div key={name} title={title}><dt className="text-faint">{name}</dt><dd className="tabular font-medium">{value}</dd></div>
        ))}
      </dl>
      {request !== null && <Link to="/$workspace/requests" params={{ workspace: String(workspace) }} search={{ request }} className="ml-auto text-accent-ink underline">Request {request}</Link>}
    </footer>
  )
}
