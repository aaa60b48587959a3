import { isObject } from '@/lib/json'
import { readTemplate, text, type Message } from '@/template/types'

/** The answer of a column, complete or in progress. */
export interface Answer {
  state: 'running' | 'done' | 'failed' | 'stopped'
  /** The text and thinking so far. */
  text: string
  thinking: string
  /** The start of the call, and the time to the first token, in milliseconds. */
  began: number
  firstWord: number | null
  /** The messages of the model, once it is done. */
  output: Message[]
  stats: Stats | null
  /** What was missing although the call was made. */
  warning: string | null
  /** The request log of the call. */
  request: number | null
  failure: Failure | null
}

export interface Stats {
  inputTokens: number
  outputTokens: number
  /** In dollars; null when the price of the model is unknown. */
  price: number | null
  latency: number
  finishReason: string | null
}

export interface Failure {
  message: string
  /** Whether the server refused before calling the model. */
  refused: boolean
}

export function newAnswer(began: number): Answer {
  return { state: 'running', text: '', thinking: '', began, firstWord: null, output: [], stats: null, warning: null, request: null, failure: null }
}

/** The answer after a delta. */
export function withPiece(answer: Answer, piece: { text?: unknown; thinking?: unknown }, now: number): Answer {
  return { ...answer, text: answer.text + text(piece.text), thinking: answer.thinking + text(piece.thinking), firstWord: answer.firstWord ?? now - answer.began }
}

/** The answer after the final event. */
export function finished(answer: Answer, done: Record<string, unknown>): Answer {
  return {
    ...answer,
    state: 'done',
    output: readOutput(done.output),
    stats: {
      inputTokens: number(done.input_tokens) ?? 0,
      outputTokens: number(done.output_tokens) ?? 0,
      price: number(done.price),
      latency: number(done.latency_ms) ?? 0,
      finishReason: typeof done.finish_reason === 'string' ? done.finish_reason : null,
    },
    warning: readWarning(done.warning),
    request: number(done.request_id),
  }
}

/** Removes duplicates from a warning: the server names missing variables together, then each again. */
function readWarning(warning: unknown): string | null {
  if (typeof warning !== 'string') return null
  const lines = warning.split('\n')
  return lines.filter((line, index) => index === 0 || !line.startsWith('Undefined variable')).join('\n')
}

/** The messages of the model, including the text of a completion. */
function readOutput(output: unknown): Message[] {
  if (!isObject(output)) return []
  const template = readTemplate(output)
  return template.type === 'chat' ? template.messages : [{ role: 'assistant', content: template.content }]
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The messages to continue the conversation with: those of the model, or its partial text if it was stopped. */
export function asMessages(answer: Answer): Message[] {
  const kept = answer.output.map(({ role, content, tool_calls }): Message => ({
    role, content: content ?? [], ...(tool_calls && tool_calls.length > 0 ? { tool_calls } : {}),
  }))
  if (kept.length > 0 || answer.text === '') return kept
  return [{ role: 'assistant', content: [{ type: 'text', text: answer.text }] }]
}

/** Whether the user can reply: the answer has ended and calls no tool. */
export function isWaiting(answer: Answer): boolean {
  const said = answer.state === 'running' ? [] : asMessages(answer)
  return said.length > 0 && said.every((message) => (message.tool_calls ?? []).length === 0)
}
