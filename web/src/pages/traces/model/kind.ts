/** What a span is, which decides its colour. */
export type Kind = 'model' | 'tool' | 'agent' | 'other'

interface Kinded {
  request_log_id: number | null
  attributes: Record<string, unknown>
}

/** Attributes that name the kind of a span, in the conventions that the server understands. */
const kindKeys = ['node_type', 'openinference.span.kind', 'traceloop.span.kind', 'gen_ai.operation.name']

/** Attributes that only calls of tools have. */
const toolKeys = ['tool.name', 'tool_name', 'gen_ai.tool.name', 'openai_agents.function.name', 'ai.toolCall.name']

export function kindOf({ request_log_id, attributes }: Kinded): Kind {
  if (request_log_id !== null) return 'model'
  const named = kindKeys.map((key) => attributes[key]).find((value) => typeof value === 'string')
  const name = typeof named === 'string' ? named.toLowerCase() : ''
  if (name.includes('tool') || toolKeys.some((key) => attributes[key] !== undefined)) return 'tool'
  if (name.includes('agent') || name.includes('workflow') || name.includes('chain')) return 'agent'
  return name === 'llm' || name === 'chat' ? 'model' : 'other'
}

export const kindNames: Record<Kind, string> = { model: 'model call', tool: 'tool', agent: 'agent', other: 'span' }
