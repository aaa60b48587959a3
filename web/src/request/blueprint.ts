/** Reads the blueprint of a request, which the OpenAPI document does not describe further. */

export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'image'; url: string }
  | { kind: 'media'; title: string; url: string }
  | { kind: 'variable'; name: string }
  | { kind: 'other'; type: string; value: unknown }

export interface ToolCall {
  id: string
  name: string
  /** As JSON text, or as logged. */
  arguments: string
}

export interface Message {
  role: string
  name?: string
  /** The call that a tool message responds to. */
  answers?: string
  content: Content[]
  calls: ToolCall[]
}

export interface Blueprint {
  kind: 'chat' | 'completion'
  messages: Message[]
  tools: { name: string; description: string; parameters: unknown }[]
  variables: string[]
  provider: string
  model: string
  parameters: Record<string, unknown>
  apiType: string | null
}

type Json = Record<string, unknown>

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

export function readBlueprint(value: unknown): Blueprint {
  const blueprint = object(value)
  const template = object(blueprint.prompt_template)
  const model = object(object(blueprint.metadata).model)
  const completion = template.type === 'completion'
  return {
    kind: completion ? 'completion' : 'chat',
    messages: completion ? [{ role: 'completion', content: list(template.content).map(readContent), calls: [] }] : list(template.messages).map(readMessage),
    tools: [...list(template.tools).map((tool) => object(object(tool).function)), ...list(template.functions).map(object)]
      .map((tool) => ({ name: text(tool.name), description: text(tool.description), parameters: tool.parameters })),
    variables: list(template.input_variables).filter((name): name is string => typeof name === 'string'),
    provider: text(model.provider), model: text(model.name), parameters: object(model.parameters),
    apiType: typeof model.api_type === 'string' ? model.api_type : null,
  }
}

function readMessage(value: unknown): Message {
  const message = object(value)
  const calls = list(message.tool_calls).map(readCall)
  const single = object(message.function_call)
  if (typeof single.name === 'string') calls.push({ id: '', name: single.name, arguments: text(single.arguments) })
  return {
    role: text(message.role) || 'message',
    ...(typeof message.name === 'string' && message.name !== '' ? { name: message.name } : {}),
    ...(typeof message.tool_call_id === 'string' ? { answers: message.tool_call_id } : {}),
    content: typeof message.content === 'string' ? [{ kind: 'text', text: message.content }] : list(message.content).map(readContent),
    calls,
  }
}

function readCall(value: unknown): ToolCall {
  const call = object(value)
  const called = object(call.function)
  return { id: text(call.id), name: text(called.name) || text(call.name) || 'tool', arguments: text(called.arguments) }
}

function readContent(value: unknown): Content {
  const block = object(value)
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: text(block.text) }
    case 'thinking':
      return { kind: 'thinking', text: text(block.thinking) }
    case 'code':
      return { kind: 'code', text: text(block.code) }
    case 'image_url':
      return { kind: 'image', url: text(object(block.image_url).url) }
    case 'media': {
      const media = object(block.media)
      const type = text(media.type)
      return type.startsWith('image') ? { kind: 'image', url: dataUrl(text(media.url), type) } : { kind: 'media', title: text(media.title) || type || 'file', url: text(media.url) }
    }
    case 'output_media':
      return block.media_type === 'image' ? { kind: 'image', url: dataUrl(text(block.url), text(block.mime_type)) } : { kind: 'media', title: text(block.media_type) || 'file', url: text(block.url) }
    case 'media_variable':
      return { kind: 'variable', name: text(block.name) }
    default:
      return { kind: 'other', type: text(block.type) || 'content', value }
  }
}

/** Images are sometimes logged as bare base64. */
function dataUrl(url: string, type: string): string {
  return /^[A-Za-z0-9+/]{64,}={0,2}$/.test(url) ? `data:${type.includes('/') ? type : 'image/png'};base64,${url}` : url
}

/** The complete text of a message. */
export function messageText(message: Message): string {
  return message.content.map((content) => ('text' in content && content.kind !== 'thinking' ? content.text : '')).filter((part) => part !== '').join('\n')
}

/** The last user message. */
export function lastQuestion(messages: Message[]): string {
  const asked = messages.findLast((message) => message.role === 'user' && messageText(message) !== '') ?? messages.find((message) => messageText(message) !== '')
  return asked === undefined ? '' : oneLine(messageText(asked))
}

/** The model's answer, or the tools it called. */
export function lastAnswer(messages: Message[]): string {
  const answer = messages.findLast((message) => message.role === 'assistant' || message.role === 'completion')
  if (answer === undefined) return ''
  const said = oneLine(messageText(answer))
  return said === '' ? answer.calls.map((call) => `${call.name}(${oneLine(call.arguments)})`).join(', ') : said
}

function oneLine(long: string): string {
  return long.slice(0, 2000).replace(/\s+/g, ' ').trim()
}
