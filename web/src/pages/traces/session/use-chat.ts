import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '@/api/client'
import { readBlueprint, type Message } from '@/request/blueprint'
import { detailQuery } from '@/request/data'
import type { TraceItem } from '../list/list-query'
import { withoutRepeats, type Source } from '../model/chat'
import { mostSpans, saidQuery } from './data'

/** Of more model calls, the last ones are shown. */
const mostCalls = 10

/** What was said in a trace. */
export interface Turn {
  item: TraceItem
  state: 'loading' | 'failed' | 'large' | 'loaded'
  /** The messages by the request that they are from, if they are from one. */
  parts: { request?: number; messages: Message[] }[]
  /** The number of model calls that are not shown. */
  hidden: number
  error?: string
}

interface Loaded extends Pick<Turn, 'item' | 'state' | 'hidden' | 'error'> {
  source: Source
}

const nothing: Source = { requests: [] }

/** The conversation of some traces. Those in `before` are only there so that what they said is not repeated. */
export function useChat(workspace: number, before: readonly TraceItem[], items: readonly TraceItem[]): Turn[] {
  const all = useMemo(() => [...before, ...items], [before, items])
  const said: Result<Said>[] = useQueries({ queries: all.map((item) => saidQuery(workspace, item)), combine: results })
  const loaded = useMemo(() => all.map((item, index) => load(item, said[index])), [all, said])
  const requests = useMemo(() => loaded.flatMap(({ source }) => ('requests' in source ? source.requests : [])), [loaded])
  const details: Result<Detail>[] = useQueries({ queries: requests.map((id) => detailQuery(workspace, id)), combine: results })
  return useMemo(() => {
    const byId = new Map(requests.map((id, index) => [id, details[index]]))
    return turnsOf(loaded, byId).slice(before.length)
  }, [loaded, requests, details, before])
}

interface Result<Data> {
  data: Data | undefined
  failed: boolean
}

interface Said {
  source: Source
  error: string | undefined
}

/** Keeps only what is used, so that the result changes only with it. */
function results<Data>(all: UseQueryResult<Data>[]): Result<Data>[] {
  return all.map(({ data, isError }) => ({ data, failed: isError }))
}

function load(item: TraceItem, said: Result<Said> | undefined): Loaded {
  if (item.span_count > mostSpans) return { item, state: 'large', hidden: 0, source: nothing }
  if (said?.data === undefined) return { item, state: said?.failed === true ? 'failed' : 'loading', hidden: 0, source: nothing }
  const { source, error } = said.data
  const hidden = 'requests' in source ? Math.max(0, source.requests.length - mostCalls) : 0
  return { item, state: 'loaded', hidden, error, source: 'requests' in source ? { requests: source.requests.slice(hidden) } : source }
}

type Detail = Schemas['GetResponse']

function turnsOf(loaded: readonly Loaded[], details: Map<number, Result<Detail> | undefined>): Turn[] {
  const turns = loaded.map(({ source, ...rest }): Turn => {
    if ('messages' in source) return { ...rest, parts: [source] }
    const found = source.requests.map((request) => ({ request, detail: details.get(request) }))
    const state = found.some(({ detail }) => detail?.failed) ? 'failed' : found.some(({ detail }) => detail?.data === undefined) ? 'loading' : rest.state
    return { ...rest, state, parts: state === 'loaded' ? found.map(({ request, detail }) => ({ request, messages: readBlueprint(detail?.data?.prompt_blueprint).messages })) : [] }
  })
  // What is repeated is known once everything before has been loaded.
  const waiting = turns.findIndex(({ state }) => state === 'loading')
  const known = waiting < 0 ? turns : turns.slice(0, waiting)
  const told = withoutRepeats(known.flatMap(({ parts }) => parts.map(({ messages }) => messages)))
  let next = 0
  return turns.map((turn, index) => {
    if (index >= known.length) return { ...turn, state: 'loading', parts: [] }
    return { ...turn, parts: turn.parts.map((part) => ({ ...part, messages: told[next++] ?? [] })) }
  })
}
