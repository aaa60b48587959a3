import { describe, expect, it } from 'vitest'
import { readBlueprint } from '@/request/blueprint'
import { providerCall } from './provider-call'

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

describe('providerCall', () => {
  it('builds a call to OpenAI without the answer', () => {
    const call = providerCall(blueprint('openai'))
    expect(call).toMatchObject({ method: 'POST', url: 'https://api.openai.com/v1/chat/completions', headers: { Authorization: 'Bearer $OPENAI_API_KEY' } })
    expect(call.body).toEqual({ model: 'm-1', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: "What's up?" }], temperature: 0.2 })
  })

  it('builds a call to Anthropic with tools', () => {
    const sent = providerCall(blueprint('anthropic', { tools: [{ type: 'function', function: { name: 'find', description: 'd', parameters: { type: 'object' } } }] })).body
    expect(sent).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user', content: "What's up?" }], tools: [{ name: 'find', input_schema: { type: 'object' } }], max_tokens: 1024 })
  })

  it('builds calls to Google and to unknown hosts', () => {
    expect(providerCall(blueprint('google')).body).toMatchObject({ contents: [{ role: 'user', parts: [{ text: "What's up?" }] }], generationConfig: { temperature: 0.2 } })
    expect(providerCall(blueprint('acme')).url).toBe('https://YOUR-ACME-HOST/v1/chat/completions')
  })
})
