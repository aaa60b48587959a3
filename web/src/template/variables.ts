import { isObject } from '@/lib/json'
import { text, type ContentItem, type PromptTemplate, type TemplateFormat } from './types'

/** A snippet tag in a text: `@@@name@@@`, optionally with a version or a label. */
export interface SnippetRef {
  tag: string
  name: string
  version?: number
  label?: string
}

const snippetTag = /@@@([^\n]+?)@@@/g

export function snippetRefs(source: string): SnippetRef[] {
  return [...source.matchAll(snippetTag)].map(([tag, inside = '']) => {
    const pinned = /^(.+)@(version_number|label):\{?([^{}]+)\}?$/.exec(inside)
    if (pinned === null) return { tag, name: inside }
    const [, name = '', kind, value = ''] = pinned
    return kind === 'label' ? { tag, name, label: value } : { tag, name, version: Number(value) }
  })
}

interface Field {
  /** The start and end of the field in the text, including braces. */
  from: number
  to: number
  name: string
}

export interface ParsedFString {
  fields: Field[]
  /** Why the text cannot be rendered, or null. */
  problem: string | null
}

/** Splits a text by the rules of Python format strings, which the registry follows. */
export function parseFString(source: string): ParsedFString {
  const fields: Field[] = []
  let at = 0
  while (at < source.length) {
    const brace = source[at]
    if (brace !== '{' && brace !== '}') {
      at++
      continue
    }
    if (source[at + 1] === brace) {
      at += 2
      continue
    }
    if (brace === '}') return { fields: [], problem: 'Unmatched closing brace. Use }} for a literal brace.' }
    const end = fieldEnd(source, at + 1)
    if (end < 0) return { fields: [], problem: 'Unclosed opening brace. Use {{ for a literal brace.' }
    const inside = source.slice(at + 1, end - 1)
    fields.push({ from: at, to: end, name: inside.split(/[!:]/, 1)[0] ?? '' })
    at = end
  }
  return { fields, problem: null }
}

function fieldEnd(source: string, from: number): number {
  let open = 1
  let inName = true
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === ':') inName = false
    if (character === '{') {
      if (inName) return -1
      open++
    }
    if (character === '}' && --open === 0) return at + 1
  }
  return -1
}

export function isName(name: string): boolean {
  return /^[\p{L}\p{N}_]+$/u.test(name)
}

const jinjaWords = new Set(
  ('and or not in is if else elif endif for endfor set endset macro endmacro block endblock call endcall filter endfilter with endwith raw endraw include import from extends ' +
    'recursive as ignore missing without context true false none True False None loop range dict lipsum cycler joiner namespace self super caller varargs kwargs scoped required do').split(' '),
)

/** The variables that a Jinja text uses: root names only, without those it defines itself. */
export function jinjaVariables(source: string): string[] {
  const found = new Set<string>()
  const own = new Set<string>()
  const code = source.replace(/\{#[\s\S]*?#\}/g, '').replace(/\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}/g, '')
  for (const [, expression, statement] of code.matchAll(/\{\{([\s\S]*?)\}\}|\{%([\s\S]*?)%\}/g)) {
    const words = (expression ?? statement ?? '').replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ' ')
    const defined = /^-?\s*for\s+([\s\S]+?)\s+in\s/.exec(words) ?? /^-?\s*set\s+([\w\s,]+?)\s*(?:=|$)/.exec(words) ?? /^-?\s*macro\s+([\s\S]+)$/.exec(words)
    for (const [name] of (defined?.[1] ?? '').matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) own.add(name)
    if (/^-?\s*(?:end\w*|block|raw)\b/.test(words)) continue
    for (const match of words.matchAll(/(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu)) {
      const before = words.slice(0, match.index).trimEnd()
      const after = words.slice(match.index + match[0].length)
      const isFilter = before.endsWith('|') || /\bis(?:\s+not)?$/.test(before)
      const isArgument = /^\s*=(?!=)/.test(after) && /[(,]$/.test(before)
      if (!isFilter && !isArgument && !jinjaWords.has(match[0])) found.add(match[0])
    }
  }
  return [...found].filter((name) => !own.has(name))
}

export function textVariables(source: string, format: TemplateFormat): string[] {
  const plain = source.replace(snippetTag, '')
  if (format === 'jinja2') return jinjaVariables(plain)
  return [...new Set(parseFString(plain).fields.map(({ name }) => name))].filter((name) => name !== '')
}

function itemVariables(item: ContentItem, format: TemplateFormat): string[] {
  if (item.type === 'text') return textVariables(text(item.text), format)
  if (item.type === 'media_variable') return [text(item.name)]
  if (item.type === 'image_url' && text(item.image_variable)) return [text(item.image_variable)]
  return []
}

/** All variables of a template in order of first use, placeholders last. */
export function templateVariables(template: PromptTemplate): string[] {
  const names = new Set<string>()
  const add = (list: string[]) => list.filter((name) => name !== '').forEach((name) => names.add(name))
  if (template.type === 'completion') {
    template.content.forEach((item) => add(itemVariables(item, template.template_format ?? 'f-string')))
    return [...names]
  }
  for (const message of template.messages) (message.content ?? []).forEach((item) => add(itemVariables(item, message.template_format ?? 'f-string')))
  for (const tool of template.tools ?? []) if (tool.type === 'variable') add([text(tool.name)])
  for (const message of template.messages) if (message.role === 'placeholder') add([text(message.name)])
  return [...names]
}

/** All snippets used in the texts of a template. */
export function templateSnippets(template: PromptTemplate): SnippetRef[] {
  const items = template.type === 'completion' ? template.content : template.messages.flatMap((message) => message.content ?? [])
  const refs = items.flatMap((item) => (item.type === 'text' ? snippetRefs(text(item.text)) : []))
  return [...new Map(refs.map((ref) => [ref.tag, ref])).values()]
}

/** Formats a value as the registry does. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

export function renderFString(source: string, values: Record<string, unknown>): string {
  const { fields, problem } = parseFString(source)
  if (problem !== null) return source
  let written = ''
  let at = 0
  const literal = (part: string) => part.replaceAll('{{', '{').replaceAll('}}', '}')
  for (const field of fields) {
    written += literal(source.slice(at, field.from))
    written += isName(field.name) ? valueText(values[field.name]) : source.slice(field.from, field.to)
    at = field.to
  }
  return written + literal(source.slice(at))
}

/**
 * Renders the plain names and paths such as `user.name` of a Jinja text. Only the
 * server renders the rest of the language: `exact` reports whether there was none.
 */
export function renderPlainJinja(source: string, values: Record<string, unknown>): { text: string; exact: boolean } {
  let exact = !/\{%|\{#/.test(source)
  const written = source.replace(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g, (tag, expression: string) => {
    if (!/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(expression) || /^\{\{-|-\}\}$/.test(tag)) {
      exact = false
      return tag
    }
    const value = expression.split('.').reduce<unknown>((object, key) => (isObject(object) ? object[key] : undefined), values)
    return value === null ? 'None' : valueText(value)
  })
  return { text: written, exact }
}

/** Parses the typed value of a variable: arrays and objects as JSON, all else as text. */
export function readValue(typed: string): unknown {
  if (!/^\s*[[{]/.test(typed)) return typed
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return typed
  }
}
