import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { parseTrace } from '../model/parse'

export function traceKey(workspace: number, id: string) {
  return ['w', workspace, 'traces', 'trace', id] as const
}

/** All spans of a trace. */
export function traceQuery(workspace: number, id: string) {
  return queryOptions({
    queryKey: traceKey(workspace, id),
    queryFn: ({ signal }) => call(loadTrace(id, signal)),
    staleTime: 30_000,
    // Traces can be large: neither compare them with their predecessor nor keep them for long.
    structuralSharing: false,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

async function loadTrace(id: string, signal: AbortSignal) {
  const { data, ...answer } = await api.GET('/api/public/v2/traces/{trace_id}', { params: { path: { trace_id: id } }, signal, parseAs: 'stream' })
  return data ? { ...answer, data: await parseTrace<Schemas['TraceResponse']>(textsOf(data)) } : answer
}

/** The text of a body as it arrives. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield decoder.decode(piece.value, { stream: true })
}
