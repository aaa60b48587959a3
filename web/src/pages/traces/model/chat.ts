import { messageText, type Message } from '@/request/blueprint'
import { messagesOf } from './messages'
import { buildTree, type TreeSpan } from './tree'

interface ChatSpan extends TreeSpan {
  request_log_id: number | null
  attributes: Record<string, unknown>
}

/** Where the messages of a trace come from: its root, or its model calls by the ids of their requests. */
export type Source = { messages: Message[] } | { requests: number[] }

/** The root says what was asked and answered. Without it, the model calls do, in the order of their start. */
export function sourceOf(spans: readonly ChatSpan[]): Source {
  const root = spans[buildTree(spans).roots[0] ?? 0]
  const messages = root === undefined || root.request_log_id !== null ? [] : messagesOf(root.attributes)
  if (messages.length > 0) return { messages }
  return { requests: [...new Set(spans.flatMap(({ request_log_id: id }) => id ?? []))] }
}

const instructions = new Set(['system', 'developer'])

/**
 * Leaves out what a reader of the conversation knows already. Clients send all
 * earlier messages with every call, so those with which a part begins are left
 * out if an earlier part had the same, up to its last message. Instructions to
 * the model are no part of the conversation.
 */
export function withoutRepeats(parts: readonly Message[][]): Message[][] {
  const earlier: string[][] = []
  return parts.map((part) => {
    const said = part.filter(({ role }) => !instructions.has(role))
    const keys = said.map(keyOf)
    const known = earlier.reduce((most, other) => Math.max(most, commonStart(other, keys)), 0)
    earlier.push(keys)
    return said.slice(Math.min(known, said.length - 1))
  })
}

/** What makes two messages the same: ids of calls and thinking differ between the answer and its repetition. */
function keyOf(message: Message): string {
  return JSON.stringify([message.role, messageText(message).trim(), message.calls.map((call) => [call.name, call.arguments])])
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const end = b.findIndex((key, index) => a[index] !== key)
  return end < 0 ? b.length : end
}
