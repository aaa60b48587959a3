import { isObject } from '@/lib/json'
/**
 * Prompt templates as stored in the registry. Unknown members are kept, so that
 * saving loses nothing.
 */
export type TemplateFormat = 'f-string' | 'jinja2'

export const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function', 'placeholder'] as const
export type Role = (typeof roles)[number]

export interface ContentItem {
  type: string
  [member: string]: unknown
}

export interface ToolCall {
  id: string
  type?: string
  function: { name: string; arguments: string }
  [member: string]: unknown
}

export interface Message {
  role: Role
  content?: ContentItem[] | null
  name?: string | null
  template_format?: TemplateFormat
  tool_calls?: ToolCall[] | null
  tool_call_id?: string
  [member: string]: unknown
}

export interface FunctionDefinition {
  name: string
  description?: string
  strict?: boolean
  parameters?: Record<string, unknown>
  [member: string]: unknown
}

export interface Tool {
  type: string
  [member: string]: unknown
}

export interface ChatTemplate {
  type: 'chat'
  messages: Message[]
  tools?: Tool[] | null
  functions?: FunctionDefinition[] | null
  tool_choice?: unknown
  function_call?: unknown
  [member: string]: unknown
}

export interface CompletionTemplate {
  type: 'completion'
  content: ContentItem[]
  template_format?: TemplateFormat
  [member: string]: unknown
}

export type PromptTemplate = ChatTemplate | CompletionTemplate

/** The model of a version, stored in its metadata as `model`. */
export interface ModelConfig {
  provider: string
  name: string
  parameters?: Record<string, unknown> | null
  api_type?: string | null
  [member: string]: unknown
}

export function textItem(text = ''): ContentItem {
  return { type: 'text', text }
}

export function newMessage(role: Role, format: TemplateFormat = 'f-string'): Message {
  if (role === 'placeholder') return { role, name: 'history', template_format: format }
  return withRole({ role, content: [textItem()], template_format: format }, role)
}

/** The message with a different role and the fields required by that role. */
export function withRole(message: Message, role: Role): Message {
  const next: Message = { ...message, role }
  if (role !== 'assistant') {
    delete next.tool_calls
    delete next.function_call
  }
  if (role === 'tool') next.tool_call_id = next.tool_call_id ?? ''
  else delete next.tool_call_id
  if ((role === 'function' || role === 'placeholder') && !next.name) next.name = role === 'placeholder' ? 'history' : 'name'
  if (role !== 'assistant' && role !== 'placeholder') next.content = next.content ?? [textItem()]
  return next
}

export function emptyTemplate(kind: PromptTemplate['type']): PromptTemplate {
  if (kind === 'completion') return { type: 'completion', content: [textItem()], template_format: 'f-string' }
  return { type: 'chat', messages: [newMessage('system'), newMessage('user')] }
}

/** Reads a template from an API response. Missing parts become empty. */
export function readTemplate(value: unknown): PromptTemplate {
  const template = isObject(value) ? value : {}
  if (template.type === 'completion') return { ...template, type: 'completion', content: list<ContentItem>(template.content) }
  return { ...template, type: 'chat', messages: list<Message>(template.messages) }
}

export function readModel(metadata: Record<string, unknown> | null): ModelConfig | null {
  const model = metadata?.model
  if (!isObject(model)) return null
  return { ...model, provider: text(model.provider), name: text(model.name) }
}

/**
 * The template to publish: without the lists of variables, which the registry
 * would otherwise keep even for removed variables.
 */
export function forPublishing(template: PromptTemplate): PromptTemplate {
  const bare = omit(template, 'input_variables')
  return bare.type === 'completion' ? bare : { ...bare, messages: bare.messages.map((message) => omit(message, 'input_variables')) }
}

/** A copy of an object without one member. */
export function omit<T extends Record<string, unknown>>(object: T, name: string): T {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as T
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : []
}
