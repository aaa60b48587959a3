import { describe, expect, it } from 'vitest'
import { readBlueprint } from '@/request/blueprint'
import { providerCurl } from './curl'

function blueprint(provider: string, extra: object = {}) {
  return readBlueprint({
    prompt_template: {
      type: 'chat',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: "What's up?" }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Not much.' }] },
      ],
      ...extra,
    },
    metadata: { model: { provider, name: 'm-1', parameters: { temperature: 0.2 } } },
  })
}

function body(command: string): Record<string, unknown> {
  const text = /-d '(.*)'$/s.exec(command)?.[1] ?? ''
  return JSON.parse(text.replace(/'\\''/g, "'")) as Record<string, unknown>
}

describe('curl', () => {
  it('builds a call to OpenAI without the answer', () => {
    const command = providerCurl(blueprint('openai'))
    expect(command).toContain("curl 'https://api.openai.com/v1/chat/completions'")
    expect(command).toContain('-H "Authorization: Bearer $OPENAI_API_KEY"')
    expect(body(command)).toEqual({ model: 'm-1', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: "What's up?" }], temperature: 0.2 })
  })

  it('builds a call to Anthropic with tools', () => {
    const sent = body(providerCurl(blueprint('anthropic', { tools: [{ type: 'function', function: { name: 'find', description: 'd', parameters: { type: 'object' } } }] })))
    expect(sent).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user', content: "What's up?" }], tools: [{ name: 'find', input_schema: { type: 'object' } }], max_tokens: 1024 })
  })

  it('builds calls to Google and to unknown hosts', () => {
    expect(body(providerCurl(blueprint('google')))).toMatchObject({ contents: [{ role: 'user', parts: [{ text: "What's up?" }] }], generationConfig: { temperature: 0.2 } })
    expect(providerCurl(blueprint('acme'))).toContain('https://YOUR-ACME-HOST/v1/chat/completions')
  })
})
