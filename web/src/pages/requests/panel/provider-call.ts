import type { HttpCall } from '@/lib/http-code'
import type { Blueprint, Content, Message } from '@/request/blueprint'

type Json = Record<string, unknown>

/**
 * The call to the provider, built from the log: the model, the parameters and the
 * messages before the answer. The API key is an environment variable.
 */
export function providerCall(blueprint: Blueprint): HttpCall {
  const json = { 'Content-Type': 'application/json' }
  const { model, parameters } = blueprint
  const messages = beforeAnswer(blueprint.messages)
  const provider = blueprint.provider.toLowerCase()
  if (provider.startsWith('anthropic')) {
    return { method: 'POST', url: 'https://api.anthropic.com/v1/messages', headers: { 'x-api-key': '$ANTHROPIC_API_KEY', 'anthropic-version': '2023-06-01', ...json }, body: anthropicBody(blueprint, messages) }
  }
  if (provider.startsWith('google') || provider.startsWith('gemini')) {
    return { method: 'POST', url: `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`, headers: { 'x-goog-api-key': '$GEMINI_API_KEY', ...json }, body: googleBody(blueprint, messages) }
  }
  const [base, key] = bases[provider] ?? [`https://YOUR-${provider.toUpperCase() || 'PROVIDER'}-HOST/v1`, 'API_KEY']
  const headers = { Authorization: `Bearer $${key}`, ...json }
  if (blueprint.kind === 'completion') return { method: 'POST', url: `${base}/completions`, headers, body: { model, prompt: messages.map(textOf).join('\n'), ...parameters } }
  return { method: 'POST', url: `${base}/chat/completions`, headers, body: { model, messages: messages.map(openaiMessage), ...openaiTools(blueprint), ...parameters } }
}

const bases: Record<string, [string, string]> = {
  openai: ['https://api.openai.com/v1', 'OPENAI_API_KEY'],
  mistral: ['https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  openrouter: ['https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  groq: ['https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  deepseek: ['https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
  xai: ['https://api.x.ai/v1', 'XAI_API_KEY'],
}

/** The messages without the answer, which is the last one if it is by the assistant. */
function beforeAnswer(messages: Message[]): Message[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages
}

function textOf(message: Message): string {
  return message.content.map((content) => (content.kind === 'text' || content.kind === 'code' ? content.text : '')).filter((text) => text !== '').join('\n')
}

function openaiMessage(message: Message): Json {
  const images = message.content.some(({ kind }) => kind === 'image')
  const calls = message.calls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }))
  return {
    role: message.role,
    content: images ? message.content.flatMap(openaiPart) : textOf(message),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.answers === undefined ? {} : { tool_call_id: message.answers }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function openaiPart(content: Content): Json[] {
  if (content.kind === 'image') return [{ type: 'image_url', image_url: { url: content.url } }]
  return content.kind === 'text' ? [{ type: 'text', text: content.text }] : []
}

function openaiTools({ tools }: Blueprint): Json {
  return tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
}

function anthropicBody(blueprint: Blueprint, messages: Message[]): Json {
  const system = messages.filter(isSystem).map(textOf).join('\n\n')
  return {
    model: blueprint.model,
    max_tokens: 1024,
    ...(system === '' ? {} : { system }),
    messages: messages.filter((message) => !isSystem(message)).map((message) => ({ role: message.role === 'assistant' ? 'assistant' : 'user', content: anthropicContent(message) })),
    ...(blueprint.tools.length === 0 ? {} : { tools: blueprint.tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
    ...blueprint.parameters,
  }
}

function anthropicContent(message: Message): string | Json[] {
  if (message.answers !== undefined) return [{ type: 'tool_result', tool_use_id: message.answers, content: textOf(message) }]
  const blocks = message.content.flatMap((content): Json[] => {
    if (content.kind === 'text' && content.text !== '') return [{ type: 'text', text: content.text }]
    return content.kind === 'image' ? [{ type: 'image', source: anthropicSource(content.url) }] : []
  })
  const calls = message.calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: parsed(call.arguments) }))
  return calls.length === 0 && blocks.every(({ type }) => type === 'text') ? textOf(message) : [...blocks, ...calls]
}

function anthropicSource(url: string): Json {
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  return data === null ? { type: 'url', url } : { type: 'base64', media_type: data[1], data: data[2] }
}

function googleBody(blueprint: Blueprint, messages: Message[]): Json {
  const system = messages.filter(isSystem).map(textOf).join('\n\n')
  const { parameters } = blueprint
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages.filter((message) => !isSystem(message)).map((message) => ({ role: message.role === 'assistant' ? 'model' : 'user', parts: [{ text: textOf(message) }] })),
    ...(blueprint.tools.length === 0 ? {} : { tools: [{ functionDeclarations: blueprint.tools }] }),
    ...(Object.keys(parameters).length === 0 ? {} : { generationConfig: parameters }),
  }
}

function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}
