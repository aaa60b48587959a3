import { describe, expect, it } from 'vitest'
import { messagesOf } from './messages'

describe('input and output of a span', () => {
  it('are texts if they are no messages', () => {
    expect(messagesOf({ 'input.value': '{"city":"Ulm"}', 'output.value': 'Rain' })).toEqual([
      { role: 'input', content: [{ kind: 'text', text: '{"city":"Ulm"}' }], calls: [] },
      { role: 'output', content: [{ kind: 'text', text: 'Rain' }], calls: [] },
    ])
    expect(messagesOf({ function_output: { ok: true } })).toEqual([{ role: 'output', content: [{ kind: 'text', text: '{"ok":true}' }], calls: [] }])
    expect(messagesOf({ 'input.value': '[1, 2]', 'output.value': '[not JSON' }).map(({ role }) => role)).toEqual(['input', 'output'])
  })

  it('are absent without attributes', () => expect(messagesOf({ other: 1, 'input.value': '' })).toEqual([]))

  it('are messages in the OpenTelemetry format', () => {
    const input = JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
      { role: 'assistant', parts: [{ type: 'reasoning', content: 'Look it up' }, { type: 'tool_call', id: '1', name: 'weather', arguments: { city: 'Ulm' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'rain' }, { type: 'blob' }] },
    ])
    expect(messagesOf({ 'gen_ai.input.messages': input })).toEqual([
      { role: 'user', content: [{ kind: 'text', text: 'Weather?' }], calls: [] },
      { role: 'assistant', content: [{ kind: 'thinking', text: 'Look it up' }], calls: [{ id: '1', name: 'weather', arguments: '{"city":"Ulm"}' }] },
      { role: 'tool', content: [{ kind: 'text', text: 'rain' }, { kind: 'other', type: 'blob', value: { type: 'blob' } }], calls: [] },
    ])
  })

  it('are messages with plain content', () => {
    expect(messagesOf({ 'input.value': '[{"role":"user","content":"Hello"}]' })).toEqual([{ role: 'user', content: [{ kind: 'text', text: 'Hello' }], calls: [] }])
  })
})
