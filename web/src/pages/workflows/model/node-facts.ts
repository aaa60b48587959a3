/** What a node took in a run, from the trace of the run. */
export interface NodeFacts {
  /** In milliseconds. */
  time: number
  /** The requests of its model calls, and their total cost in dollars. */
  requests: number[]
  cost: number
}

export interface RunSpan {
  span_id: string
  parent_id: string | null
  name: string
  start: string
  end: string
  request_log_id: number | null
}

/** The span of the run itself. */
export function rootOf<Span extends RunSpan>(spans: Span[]): Span | undefined {
  return spans.find(({ parent_id, name }) => parent_id === null && name === 'Workflow Run')
}

/** The facts of a node, or null if the trace has no span of it. */
export function factsOf(spans: RunSpan[], prices: Record<number, number>, node: { name: string; node_type: string }): NodeFacts | null {
  const root = rootOf(spans)
  const span = spans.find(({ parent_id, name }) => parent_id === root?.span_id && name === `${node.name}: ${node.node_type.toLowerCase()}`)
  if (root === undefined || span === undefined) return null
  const requests = requestsBelow(spans, span)
  return { time: Math.max(0, Date.parse(span.end) - Date.parse(span.start)), requests, cost: requests.reduce((sum, id) => sum + (prices[id] ?? 0), 0) }
}

function requestsBelow(spans: RunSpan[], span: RunSpan): number[] {
  const below = spans.filter(({ parent_id }) => parent_id === span.span_id).flatMap((child) => requestsBelow(spans, child))
  return span.request_log_id === null ? below : [span.request_log_id, ...below]
}
