import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { readBlueprint, type Blueprint } from '@/request/blueprint'
import { Folded } from '@/request/content'
import { Conversation } from '@/request/conversation'
import { detailQuery } from '@/request/data'
import { duration } from '@/lib/format'
import { JsonView } from '@/ui/json'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { messagesOf } from '../model/messages'
import { preciseTime } from '../model/timeline'
import type { Span } from './data'

/** Shows what needs the whole span, once it is loaded. */
export function WhenLoaded({ loading, children }: { loading: UseQueryResult<Span>; children: (span: Span) => ReactNode }) {
  if (loading.data !== undefined) return children(loading.data)
  return loading.isError ? <ErrorState error={loading.error} retry={() => void loading.refetch()} /> : <Loading />
}

/** The input and output of a span with a request: its conversation. */
export function RequestMessages({ request, workspace }: { request: number; workspace: number }) {
  const detail = useQuery(detailQuery(workspace, request))
  const blueprint = useMemo(() => readBlueprint(detail.data?.prompt_blueprint), [detail.data])
  if (detail.isError) return <ErrorState error={detail.error} retry={() => void detail.refetch()} />
  return detail.data === undefined ? <Loading /> : <Conversation blueprint={blueprint} />
}

/** The input and output of another span: what its attributes say. */
export function AttributeMessages({ span }: { span: Span }) {
  const messages = useMemo(() => messagesOf(span.attributes), [span])
  if (messages.length === 0) return <p className="text-faint">This span has no input or output.</p>
  return <Conversation blueprint={{ ...emptyBlueprint, messages }} />
}

const emptyBlueprint: Blueprint = readBlueprint(undefined)

/** The attributes of a span, of its resource and its links. */
export function Attributes({ span }: { span: Span }) {
  const { attributes, resource, links } = span
  return (
    <div className="flex flex-col gap-3">
      {Object.keys(attributes).length === 0 ? <p className="text-faint">This span has no attributes.</p> : <JsonView value={attributes} openTo={1} />}
      {Object.keys(resource.attributes).length > 0 && <Folded summary="Resource"><JsonView value={resource.attributes} /></Folded>}
      {links.length > 0 && <Folded summary={`Links (${links.length})`}><JsonView value={links} /></Folded>}
    </div>
  )
}

/** The events of a span, such as exceptions, with their time since its start. */
export function Events({ span }: { span: Span }) {
  if (span.events.length === 0) return <EmptyState title="No events">Events of the span, such as exceptions, are listed here.</EmptyState>
  const start = preciseTime(span.start_time)
  return (
    <ol className="flex flex-col gap-2">
      {span.events.map((event, index) => (
        <li key={index}>
          <Folded open={event.name === 'exception'} summary={<>{String(event.name ?? 'event')} <span className="tabular font-normal text-faint">{offset(event, start)}</span></>}>
            <JsonView value={event.attributes ?? event} />
          </Folded>
        </li>
      ))}
    </ol>
  )
}

/** How long after the start an event happened, if it has a time that is understood. */
function offset(event: Record<string, unknown>, start: number): string {
  const at = event.timestamp ?? event.time
  const time = typeof at === 'string' && /\D/.test(at) ? preciseTime(at) : Number(at ?? NaN) / 1e6
  return Number.isFinite(time) && time >= start ? `after ${duration(time - start)}` : ''
}
