import { createContext, useContext, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ago, compact, dateTime, duration, money } from '@/lib/format'
import type { RequestItem } from '@/request/data'
import { Badge, StatusBadge } from '@/ui/badge'
import { metadataOf } from './log-query'
import { Preview } from './preview'
import { scoreName, type Sort } from './search'

export interface LogColumn {
  id: string
  header: string
  /** The name in the column menu. */
  about?: string
  width: number
  /** Takes a share of the remaining width. */
  grows?: boolean
  /** Takes the remaining width when no column grows. */
  fills?: boolean
  sort?: Sort
  right?: boolean
  cell: (item: RequestItem) => ReactNode
}

const none = <span className="text-faint">–</span>

export const columns: LogColumn[] = [
  { id: 'time', header: 'Time', width: 132, sort: 'request_start_time', cell: (item) => <Time item={item} /> },
  { id: 'status', header: 'Status', width: 82, sort: 'status', cell: (item) => <Status status={item.status ?? ''} /> },
  { id: 'model', header: 'Model', width: 138, cell: (item) => item.engine || none },
  { id: 'provider', header: 'Provider', width: 96, cell: (item) => item.provider_type || none },
  { id: 'prompt', header: 'Prompt', about: 'Prompt and version', width: 158, cell: (item) => <Prompt item={item} /> },
  { id: 'input', header: 'Input', about: 'Last user message', width: 200, grows: true, cell: (item) => <Preview item={item} part="input" /> },
  { id: 'output', header: 'Output', about: 'Start of the answer', width: 200, grows: true, cell: (item) => <Preview item={item} part="output" /> },
  { id: 'input_tokens', header: 'Input tokens', width: 84, right: true, sort: 'input_tokens', cell: (item) => compact(item.input_tokens) },
  { id: 'output_tokens', header: 'Output tokens', width: 88, right: true, sort: 'output_tokens', cell: (item) => compact(item.output_tokens) },
  { id: 'tokens', header: 'Tokens', about: 'Input and output tokens', width: 70, right: true, cell: (item) => compact(item.tokens ?? item.input_tokens + item.output_tokens) },
  { id: 'cached_tokens', header: 'Cached', about: 'Cached tokens', width: 76, right: true, cell: (item) => (item.cached_tokens ? compact(item.cached_tokens) : none) },
  { id: 'thinking_tokens', header: 'Thinking', about: 'Thinking tokens', width: 76, right: true, cell: (item) => (item.thinking_tokens ? compact(item.thinking_tokens) : none) },
  { id: 'cost', header: 'Cost', width: 86, right: true, sort: 'cost', cell: (item) => (item.price === 0 ? none : money(item.price)) },
  { id: 'latency', header: 'Latency', width: 80, right: true, sort: 'latency_ms', cell: (item) => <Latency seconds={item.latency} /> },
  { id: 'scores', header: 'Scores', width: 130, cell: (item) => <Chips texts={item.scores.map(({ name, score }) => (name === 'default' ? String(score) : `${name} ${score}`))} /> },
  { id: 'tags', header: 'Tags', width: 128, cell: (item) => <Chips texts={item.tags_array} /> },
  { id: 'error', header: 'Error', width: 200, fills: true, cell: (item) => (item.error_type || item.error_message ? <span className="text-bad" title={item.error_message ?? undefined}>{item.error_message ?? item.error_type}</span> : none) },
  { id: 'metadata', header: 'Metadata', about: 'All metadata', width: 260, fills: true, cell: (item) => <Chips texts={Object.entries(metadataOf(item)).map(([key, value]) => `${key}: ${plain(value)}`)} /> },
  { id: 'source', header: 'Source', about: 'Where it came from', width: 96, cell: (item) => item.source ?? none },
  { id: 'function', header: 'Function', about: 'Library function', width: 180, cell: (item) => item.function_name || none },
  { id: 'group', header: 'Group', about: 'Group ID', width: 76, right: true, cell: (item) => item.group_id ?? none },
  { id: 'trace', header: 'Trace', about: 'Trace ID', width: 150, cell: (item) => (item.trace_id ? <span className="font-mono text-xs">{item.trace_id}</span> : none) },
  { id: 'id', header: 'ID', about: 'Request ID', width: 84, right: true, cell: (item) => item.id },
]

export const defaultColumns = ['time', 'status', 'model', 'prompt', 'input', 'tokens', 'cost', 'latency', 'tags']

const metadataPrefix = 'metadata.'

/** The columns for the ids, which may name metadata keys and scores. Ignores unknown ones. */
export function columnsOf(ids: string[]): LogColumn[] {
  const found = [...new Set(ids)].flatMap((id) => {
    if (id.startsWith(metadataPrefix) && id.length > metadataPrefix.length) return [metadataColumn(id.slice(metadataPrefix.length))]
    const score = scoreName(id)
    if (score !== undefined) return [scoreColumn(score)]
    return columns.find((column) => column.id === id) ?? []
  })
  const filling = found.some(({ grows }) => grows) ? undefined : found.filter(({ fills }) => fills).sort((a, b) => b.width - a.width)[0]
  return found.map((column) => (column === filling ? { ...column, grows: true } : column))
}

function metadataColumn(key: string): LogColumn {
  return {
    id: metadataPrefix + key, header: key, about: `Metadata ${key}`, width: 130, fills: true,
    cell: (item) => {
      const value = metadataOf(item)[key]
      return value === undefined ? none : plain(value)
    },
  }
}

function scoreColumn(name: string): LogColumn {
  return {
    id: `score.${name}`, header: name, about: `Score ${name}`, width: 100, right: true, sort: `score.${name}`,
    cell: (item) => item.scores.find((score) => score.name === name)?.score ?? none,
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The URL of the list without an open request, which each row extends. */
export const ListAddress = createContext('')

/**
 * A plain link, which a click on the row follows: dozens of router links would
 * each recompute their URL on every change. The keyboard focuses the row instead.
 */
function Time({ item }: { item: RequestItem }) {
  const { id, request_start_time: at } = item
  const list = useContext(ListAddress)
  return (
    <a tabIndex={-1} href={`${list}${list.includes('?') ? '&' : '?'}request=${id}`} title={`${dateTime(at)} (${ago(at)})`} className="tabular hover:underline">
      {rowTime(at)}
    </a>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })

function rowTime(at: string): string {
  return clock.format(new Date(at)).replace(',', '')
}

/** Most requests succeed, so only the others stand out. */
function Status({ status }: { status: string }) {
  if (status !== 'SUCCESS') return <StatusBadge status={status} />
  return <span className="flex items-center gap-1.5 text-dim"><span aria-hidden className="size-1.5 rounded-full bg-good" /> success</span>
}

function Prompt({ item }: { item: RequestItem }) {
  if (item.prompt_id == null) return none
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate">{item.prompt_name ?? `#${item.prompt_id}`}</span>
      {item.prompt_version_number != null && <span className="shrink-0 text-xs text-faint">v{item.prompt_version_number}</span>}
    </span>
  )
}

function Latency({ seconds }: { seconds: number }) {
  return <span className={cn(seconds >= 10 && 'text-warn')}>{duration(seconds * 1000)}</span>
}

function Chips({ texts }: { texts: string[] }) {
  if (texts.length === 0) return none
  return (
    // A chip without room is hidden, or shortened if it is the only one, but never cut off.
    <span className="block truncate" title={texts.join('\n')}>
      {texts.slice(0, 8).map((text) => <Badge key={text} className={cn('mr-1 align-middle last:mr-0', texts.length > 1 && 'max-w-[calc(100%-1.25rem)]')}><span className="truncate">{text}</span></Badge>)}
    </span>
  )
}
