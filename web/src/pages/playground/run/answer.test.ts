import { expect, it } from 'vitest'
import { asMessages, finished, isWaiting, newAnswer, withPiece } from './answer'

it('grows with each delta', () => {
  let answer = withPiece(newAnswer(1000), { thinking: 'hm' }, 1250)
  answer = withPiece(withPiece(answer, { text: 'Hel' }, 1300), { text: 'lo' }, 1400)
  expect(answer).toMatchObject({ text: 'Hello', thinking: 'hm', firstWord: 250, state: 'running' })
  expect(asMessages(answer)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }])
})

it('ends with the figures of the server', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }
  const answer = finished(newAnswer(0), {
    request_id: 7, output: { type: 'chat', messages: [{ role: 'assistant', content: null, tool_calls: [call], input_variables: [] }] },
    input_tokens: 3, output_tokens: 4, price: null, latency_ms: 12.5, finish_reason: 'tool_calls', warning: null,
  })
  expect(answer).toMatchObject({ state: 'done', request: 7, stats: { inputTokens: 3, outputTokens: 4, price: null, latency: 12.5, finishReason: 'tool_calls' } })
  expect(asMessages(answer)).toEqual([{ role: 'assistant', content: [], tool_calls: [call] }])
  expect(isWaiting(answer)).toBe(false)
})

it('reads the answer to a completion', () => {
  const answer = finished(newAnswer(0), { output: { type: 'completion', content: [{ type: 'text', text: 'on' }] } })
  expect(asMessages(answer)).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'on' }] }])
  expect(isWaiting(answer)).toBe(true)
})

it('names missing variables once', () => {
  const warning = "Some input variables are missing: (`a`)\nUndefined variable in message index 0: 'a' is undefined\nNo such snippet"
  expect(finished(newAnswer(0), { warning }).warning).toBe('Some input variables are missing: (`a`)\nNo such snippet')
})
