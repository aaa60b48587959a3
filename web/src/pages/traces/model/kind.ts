/** What a span is, which decides its colour. */
export type Kind = 'model' | 'tool' | 'agent' | 'other'

interface Kinded {
  request_log_id: number | null
  /** What its attributes say, in the conventions that the server understands. */
  type: string | null
  tool_name: string | null
}

export function kindOf({ request_log_id, type, tool_name }: Kinded): Kind {
  if (request_log_id !== null) return 'model'
  const name = type?.toLowerCase() ?? ''
  if (name.includes('tool') || tool_name !== null) return 'tool'
  if (name.includes('agent') || name.includes('workflow') || name.includes('chain')) return 'agent'
  return name.startsWith('llm') || name === 'chat' ? 'model' : 'other'
}

export const kindNames: Record<Kind, string> = { model: 'model call', tool: 'tool', agent: 'agent', other: 'span' }
