import { isObject } from '@/lib/json'
import type { Prompt } from '@/template/data'
import { emptyTemplate, readTemplate, text, type ContentItem, type Message, type PromptTemplate } from '@/template/types'
import { fingerprint, newSession, type Script, type Session } from './session'

export function emptySession(): Session {
  return newSession({ template: emptyTemplate('chat'), source: null }, null)
}

/** The messages of a version of a template. */
export function scriptOfVersion(prompt: Prompt): Script {
  const template = readTemplate(prompt.prompt_template)
  return { template, source: { prompt: prompt.id, name: prompt.prompt_name, version: prompt.version, print: fingerprint(template) } }
}

export function sessionOfVersion(prompt: Prompt): Session {
  return newSession(scriptOfVersion(prompt), prompt.metadata)
}

/** A request as the API returns it. */
interface LoggedRequest {
  prompt_blueprint: Record<string, unknown>
  prompt_input_variables?: Record<string, unknown>
}

/**
 * A request, to send it again: the version that it was made from, if there is
 * one, with the logged variables and model; otherwise its messages verbatim.
 */
export function sessionOfLog({ prompt_blueprint: blueprint, prompt_input_variables: variables }: LoggedRequest, version?: Prompt): Session {
  const script = version === undefined ? { template: asWritten(withoutAnswer(readTemplate(blueprint.prompt_template))), source: null } : scriptOfVersion(version)
  return { ...newSession(script, modelOfLog(blueprint)), values: version === undefined ? {} : asTyped(variables ?? {}) }
}

function modelOfLog(blueprint: Record<string, unknown>): Record<string, unknown> | null {
  const metadata = isObject(blueprint.metadata) ? blueprint.metadata : null
  const model = isObject(metadata?.model) ? metadata.model : null
  return model === null ? null : { model: withoutEmpty({ provider: model.provider, name: model.name, parameters: model.parameters, api_type: model.api_type }) }
}

/** The text of the answer of a logged request. */
export function textOfLog(blueprint: Record<string, unknown>): string {
  return (answerOfLog(blueprint)?.content ?? []).map((item) => text(item.text)).filter((part) => part !== '').join('\n')
}

/** Values of variables as a user would type them. */
function asTyped(variables: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
}

/** The answer of a logged request. The blueprint is the input followed by the output, which is the last message. */
export function answerOfLog(blueprint: Record<string, unknown>): Message | null {
  const template = readTemplate(blueprint.prompt_template)
  if (template.type === 'completion') return template.content.length > 1 ? { role: 'assistant', content: template.content.slice(-1) } : null
  const last = template.messages.at(-1)
  return last?.role === 'assistant' ? last : null
}

function withoutAnswer(template: PromptTemplate): PromptTemplate {
  if (template.type === 'completion') return { ...template, content: template.content.length > 1 ? template.content.slice(0, -1) : template.content }
  return template.messages.at(-1)?.role === 'assistant' ? { ...template, messages: template.messages.slice(0, -1) } : template
}

/** Turns logged texts into a template by escaping their braces. */
function asWritten(template: PromptTemplate): PromptTemplate {
  if (template.type === 'completion') return { ...template, content: template.content.map(escaped), template_format: 'f-string' }
  return {
    ...template,
    messages: template.messages.map((message): Message => ({ ...message, content: message.content?.map(escaped), template_format: 'f-string' })),
  }
}

function escaped(item: ContentItem): ContentItem {
  return item.type === 'text' ? { ...item, text: text(item.text).replace(/[{}]/g, '$&$&') } : item
}

/** The template with the conversation added as messages, for example as few-shot examples. */
export function withTalk(template: PromptTemplate, talk: Message[]): PromptTemplate {
  if (template.type === 'completion') return template
  const said = asWritten({ type: 'chat', messages: talk })
  return { ...template, messages: [...template.messages, ...(said.type === 'chat' ? said.messages : [])] }
}

function withoutEmpty(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined))
}

/** Converts a template between chat and completion. */
export function asKind(template: PromptTemplate, kind: PromptTemplate['type']): PromptTemplate {
  if (template.type === kind) return template
  if (template.type === 'completion') return { type: 'chat', messages: [{ role: 'user', content: template.content, template_format: template.template_format ?? 'f-string' }] }
  const texts = template.messages.map((message) => (message.content ?? []).map((item) => text(item.text)).join(''))
  const format = template.messages[0]?.template_format ?? 'f-string'
  return { type: 'completion', content: [{ type: 'text', text: texts.filter((one) => one !== '').join('\n\n') }], template_format: format }
}
