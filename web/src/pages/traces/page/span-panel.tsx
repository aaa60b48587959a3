import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CirclePlay, Database, Play, ScrollText } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode, type Ref } from 'react'
import { useMay } from '@/api/session'
import { compact, count, dateTime, duration, money } from '@/lib/format'
import { CopyText } from '@/request/content'
import { Badge } from '@/ui/badge'
import { Button, buttonClass } from '@/ui/button'
import { TabPanel, Tabs } from '@/ui/tabs'
import { errorOf } from '../model/error'
import { kindNames, kindOf } from '../model/kind'
import { durationOf } from '../model/timeline'
import { runOf } from '../model/run'
import { at, failed } from '../model/tree'
import { spanQuery, type OutlinedSpan, type Span } from './data'
import { AttributeMessages, Attributes, Events, RequestMessages, WhenLoaded } from './span-content'
import type { Sums, TraceModel } from './use-trace'

// Loaded on demand, because it is used rarely.
const AddToDataset = lazy(() => import('./add-to-dataset'))

type Tab = 'messages' | 'attributes' | 'events'

interface PanelProps {
  workspace: number
  trace: string
  model: TraceModel
  sums: Sums | undefined
  index: number
  /** Escape was pressed. */
  onLeave: () => void
  ref: Ref<HTMLElement>
}

/** The selected span. */
export function SpanPanel(props: PanelProps) {
  const span = props.model.spans[props.index]
  return span && <Opened {...props} span={span} />
}

/** What the tree knows of the span is shown at once. */
function Opened({ workspace, trace, model, sums, index, span, onLeave, ref }: PanelProps & { span: OutlinedSpan }) {
  const [tab, setTab] = useState<Tab>('messages')
  const loading = useQuery(spanQuery(workspace, trace, span))
  const whole = loading.data
  const request = span.request_log_id
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`Span ${span.name}`}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onLeave()}
      className="flex min-h-0 shrink-0 flex-col border-line bg-surface focus-visible:-outline-offset-2 max-lg:h-3/5 max-lg:border-t lg:w-[clamp(24rem,40%,44rem)] lg:border-l"
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 className="min-w-0 truncate font-semibold" title={span.name}>{span.name || '(no name)'}</h2>
        <Badge tone={failed(span) ? 'bad' : 'neutral'}>{failed(span) ? 'failed' : kindNames[kindOf(span)]}</Badge>
        <Actions key={span.span_id} workspace={workspace} trace={trace} span={span} whole={whole} />
      </header>
      <Facts model={model} sums={sums} index={index} span={span} whole={whole} />
      {failed(span) && (
        <div role="note" className="flex max-h-32 shrink-0 gap-2 overflow-auto border-b border-line bg-bad-soft px-4 py-2 text-[13px] text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p className="min-w-0 break-words whitespace-pre-wrap">{whole === undefined ? '…' : errorOf(whole)}</p>
        </div>
      )}
      <Tabs
        label="Span view"
        className="flex-1 [&>[role=tablist]]:px-2"
        value={tab}
        onChange={setTab}
        tabs={[{ value: 'messages', label: 'Input and output' }, { value: 'attributes', label: 'Attributes' }, { value: 'events', label: whole === undefined || whole.events.length === 0 ? 'Events' : `Events (${count(whole.events.length)})` }]}
      >
        <TabPanel value="messages" className="overflow-auto p-4">{request === null ? <WhenLoaded key={span.span_id} loading={loading}>{(whole) => <AttributeMessages span={whole} />}</WhenLoaded> : <RequestMessages key={span.span_id} request={request} workspace={workspace} />}</TabPanel>
        <TabPanel value="attributes" className="overflow-auto p-4"><WhenLoaded key={span.span_id} loading={loading}>{(whole) => <Attributes span={whole} />}</WhenLoaded></TabPanel>
        <TabPanel value="events" className="overflow-auto p-4"><WhenLoaded key={span.span_id} loading={loading}>{(whole) => <Events span={whole} />}</WhenLoaded></TabPanel>
      </Tabs>
    </section>
  )
}

function Actions({ workspace, trace, span, whole }: { workspace: number; trace: string; span: OutlinedSpan; whole: Span | undefined }) {
  const [adding, setAdding] = useState(false)
  const mayAdd = useMay('DATASET_EDIT')
  const request = span.request_log_id
  const params = { workspace: String(workspace) }
  return (
    <div className="ml-auto flex items-center gap-1">
      {whole && <RunLink span={whole} workspace={params.workspace} />}
      {request !== null && (
        <>
          <Link to="/$workspace/requests" params={params} search={{ request, range: 'all', q: `trace_id:${JSON.stringify(trace)}` }} className={buttonClass('plain', true)} title="Open the request of this span"><ScrollText /> Open request</Link>
          <Link to="/$workspace/playground" params={params} search={{ request }} className={buttonClass('plain', true)} title="Open in the playground"><Play /> <span className="max-xl:sr-only">Playground</span></Link>
        </>
      )}
      <Button small disabled={!mayAdd} title={mayAdd ? 'Add to a dataset' : 'Your role does not allow you to edit datasets'} onClick={() => setAdding(true)}>
        <Database /> <span className="max-xl:sr-only">Add to dataset</span>
      </Button>
      {adding && <Suspense><AddToDataset trace={trace} span={span.span_id} onClose={() => setAdding(false)} /></Suspense>}
    </div>
  )
}

/** A link to the run that wrote the trace, if the span is the root of one. */
function RunLink({ span, workspace }: { span: Span; workspace: string }) {
  const run = runOf(span.attributes)
  if (run === undefined) return null
  const look = { className: buttonClass('plain', true), children: <><CirclePlay /> Open run</> }
  return run.workflow === undefined
    ? <Link to="/$workspace/evaluations/$evaluation" params={{ workspace, evaluation: String(run.evaluation) }} search={{ run: run.id }} {...look} />
    : <Link to="/$workspace/workflows/$workflow" params={{ workspace, workflow: String(run.workflow) }} search={{ run: run.id, version: run.version }} {...look} />
}

/** The key figures of a span. Cost and tokens include the spans below it. */
function Facts({ model, sums, index, span, whole }: { model: TraceModel; sums: Sums | undefined; index: number; span: OutlinedSpan; whole: Span | undefined }) {
  const { tree, timeline } = model
  const below = at(tree.size, index) - 1
  const [dollars, tokens] = [sums?.dollars[index], sums?.tokens[index]]
  const facts: [string, ReactNode][] = [
    ['Start', <span key="start" title={dateTime(span.start_time)}>+{duration((timeline.start[index] ?? 0) - timeline.from)}</span>],
    ['Duration', duration(durationOf(timeline, index))],
    ['Cost', dollars === undefined ? null : money(dollars)],
    ['Tokens', tokens === undefined ? null : compact(tokens)],
    ['Spans below', below === 0 ? null : count(below)],
    ['Kind', whole === undefined ? '…' : whole.kind.replace('SpanKind.', '').toLowerCase()],
    ['ID', <span key="id" className="flex items-center gap-1"><span className="truncate font-mono text-xs">{span.span_id}</span> <CopyText text={span.span_id} what="span ID" /></span>],
  ]
  return (
    <dl className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 border-b border-line bg-canvas px-4 py-2 text-[13px]">
      {facts.filter(([, value]) => value !== null).map(([name, value]) => (
        <div key={name} className="min-w-0"><dt className="text-xs text-faint">{name}</dt><dd className="tabular truncate font-medium">{value}</dd></div>
      ))}
    </dl>
  )
}
