import type { Content, Message } from '@/request/blueprint'

type Json = Record<string, unknown>

/** Attributes with the input and the output of a span, in the order in which the server reads them. */
const inputKeys = [
  'gen_ai.input.messages', 'function_input', 'tool_input', 'openai_agents.function.input', 'gen_ai.tool.call.arguments', 'input.value',
  'traceloop.entity.input', 'ai.toolCall.args', 'ai.prompt',
]
const outputKeys = [
  'gen_ai.output.messages', 'function_output', 'tool_output', 'tool_response', 'openai_agents.function.output', 'gen_ai.tool.call.result', 'output.value',
  'traceloop.entity.output', 'ai.toolCall.result', 'ai.response.text', 'ai.response.object',
]

/** The input and the output of a span without a request, as messages. */
export function messagesOf(attributes: Json): Message[] {
  return [...messages(first(attributes, inputKeys), 'input'), ...messages(first(attributes, outputKeys), 'output')]
}

function first(attributes: Json, keys: string[]): unknown {
  return keys.map((key) => attributes[key]).find((value) => value !== undefined && value !== null && value !== '')
}

/** A list of messages as such, anything else as one message. */
function messages(value: unknown, role: string): Message[] {
  if (value === undefined) return []
  const parsed = typeof value === 'string' ? parse(value) : value
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every(isMessage)) return parsed.map(readMessage)
  return [{ role, content: [{ kind: 'text', text: textOf(value) }], calls: [] }]
}

function parse(text: string): unknown {
  if (!/^\s*\[/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isMessage(value: unknown): value is Json {
  return isObject(value) && typeof value.role === 'string' && (typeof value.content === 'string' || Array.isArray(value.parts) || Array.isArray(value.content))
}

function readMessage(message: Json): Message {
  const parts = [message.parts, message.content].find(Array.isArray) as unknown[] | undefined
  const read = parts?.filter(isObject) ?? []
  const calls = read.filter(({ type }) => type === 'tool_call' || type === 'tool-call')
  return {
    role: String(message.role),
    content: parts === undefined ? [{ kind: 'text', text: String(message.content) }] : read.filter((part) => !calls.includes(part)).map(readPart),
    calls: calls.map((call) => ({ id: textOf(call.id ?? call.toolCallId), name: textOf(call.name ?? call.toolName) || 'tool', arguments: textOf(call.arguments ?? call.args ?? call.input) })),
  }
}

function readPart(part: Json): Content {
  if (part.type === 'text') return { kind: 'text', text: textOf(part.content ?? part.text) }
  if (part.type === 'reasoning') return { kind: 'thinking', text: textOf(part.content ?? part.text) }
  if (part.type === 'tool_call_response') return { kind: 'text', text: textOf(part.response ?? part.result) }
  return { kind: 'other', type: textOf(part.type) || 'content', value: part }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}
