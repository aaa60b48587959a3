import { describe, expect, it } from 'vitest'
import { lastAnswer, lastQuestion, readBlueprint } from './blueprint'

const chat = {
  prompt_template: {
    type: 'chat',
    tools: [{ type: 'function', function: { name: 'find', description: 'Finds', parameters: {} } }],
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Where is\nmy order?' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }], tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id": 1}' } }] },
    ],
  },
  metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 0 }, api_type: null } },
}

describe('blueprint', () => {
  it('reads a chat', () => {
    const { messages, tools, model, parameters } = readBlueprint(chat)
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant'])
    expect(messages[1]?.content[1]).toEqual({ kind: 'image', url: 'https://example.com/a.png' })
    expect(messages[2]?.calls).toEqual([{ id: 'c1', name: 'find', arguments: '{"id": 1}' }])
    expect([tools[0]?.name, model, parameters.temperature]).toEqual(['find', 'gpt-4o', 0])
    expect(lastQuestion(messages)).toBe('Where is my order?')
    expect(lastAnswer(messages)).toBe('find({"id": 1})')
  })

  it('reads a completion, and anything else without errors', () => {
    const { messages } = readBlueprint({ prompt_template: { type: 'completion', content: [{ type: 'text', text: 'Once' }, { type: 'odd', x: 1 }] } })
    expect(messages[0]?.content).toEqual([{ kind: 'text', text: 'Once' }, { kind: 'other', type: 'odd', value: { type: 'odd', x: 1 } }])
    expect(readBlueprint(null).messages).toEqual([])
    expect(readBlueprint({ prompt_template: { messages: [null, 'x', { role: 'user', content: 'plain' }] } }).messages).toHaveLength(3)
  })
})
