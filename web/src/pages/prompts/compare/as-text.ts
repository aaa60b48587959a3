import { isObject } from '@/lib/json'
import { text, type ContentItem, type Message, type PromptTemplate } from '@/template/types'

// Members that the registry adds to every message and item, which are not part of the prompt.
const noise = new Set(['input_variables', 'dataset_examples', 'raw_request_display_role', 'annotations'])

/** A version as readable text: the model first, then the messages, then the tools. */
export function asText(template: PromptTemplate, metadata: Record<string, unknown> | null): string {
  const parts: string[] = []
  if (metadata !== null && Object.keys(metadata).length > 0) parts.push(yaml(withoutEmpty(metadata)))
  if (template.type === 'completion') {
    parts.push(heading('text', template.template_format), ...template.content.map(itemText))
    return parts.join('\n') + '\n'
  }
  for (const message of template.messages) parts.push(messageText(message))
  const rest = withoutEmpty({ tools: template.tools, tool_choice: template.tool_choice, functions: template.functions, function_call: template.function_call })
  if (Object.keys(rest).length > 0) parts.push(`── tools ──\n${yaml(rest)}`)
  return parts.join('\n\n') + '\n'
}

function heading(title: string, format: unknown): string {
  return `── ${title}${format === 'jinja2' ? ' (jinja2)' : ''} ──`
}

function messageText(message: Message): string {
  const { role, content, template_format, ...rest } = message
  const lines = [heading(role, template_format)]
  const members = withoutEmpty(Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'tool_calls' && !noise.has(name))))
  if (Object.keys(members).length > 0) lines.push(yaml(members))
  lines.push(...(content ?? []).map(itemText))
  for (const call of message.tool_calls ?? []) lines.push(`calls ${call.function.name} (${call.id}) with ${call.function.arguments}`)
  return lines.join('\n')
}

function itemText(item: ContentItem): string {
  const { type, ...rest } = item
  const members = withoutEmpty(Object.fromEntries(Object.entries(rest).filter(([name]) => !noise.has(name))))
  const others = Object.keys(members).filter((name) => name !== 'text')
  if (type === 'text' && others.length === 0) return text(item.text)
  return `[${type}]\n${yaml(shortened(members) as Record<string, unknown>)}`
}

/** Shows the size of embedded data instead of its content. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('data:') && value.length > 200) return `${value.slice(0, 40)}… (${value.length} characters)`
  if (Array.isArray(value)) return value.map(shortened)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)])) : value
}

function withoutEmpty(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined && value !== '' && !(isObject(value) && Object.keys(value).length === 0)))
}

/** Formats a value like YAML, with one member per line. */
export function yaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}[]`
    return value.map((element) => (isScalar(element) ? `${indent}- ${scalar(element, indent + '  ')}` : `${indent}-${yaml(element, indent + '  ').slice(indent.length + 1)}`)).join('\n')
  }
  if (isObject(value)) {
    if (Object.keys(value).length === 0) return `${indent}{}`
    return Object.entries(value)
      .map(([name, inner]) => (isScalar(inner) || isEmpty(inner) ? `${indent}${name}: ${isScalar(inner) ? scalar(inner, indent + '  ') : yaml(inner)}` : `${indent}${name}:\n${yaml(inner, indent + '  ')}`))
      .join('\n')
  }
  return indent + scalar(value, indent)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

function scalar(value: unknown, indent: string): string {
  if (typeof value !== 'string') return String(value)
  if (value.includes('\n')) return `|\n${value.split('\n').map((line) => indent + line).join('\n')}`
  return value === '' || /^[\s\d\-?:{}[\],&*#!|>'"%@`]|: |\s$|^(?:true|false|null)$/.test(value) ? JSON.stringify(value) : value
}
