import { expect, it } from 'vitest'
import { sentence } from './describe'
import { traces } from './fields'
import { parse } from './parse'

it.each([
  ['refund', 'refund'],
  ['"late refund"', '“late refund”'],
  ['-"late refund"', 'without “late refund”'],
  ['model:gpt-4o', 'model: gpt-4o'],
  ['model:a,b', 'model: a, b'],
  ['-model:a', 'model is not a'],
  ['tag:beta', 'tag: beta'],
  ['latency>2s', 'latency > 2s'],
  ['cost:0.1..0.5', 'cost is between 0.1 – 0.5'],
  ['metadata.env:prod', 'metadata.env: prod'],
  ['input:sorry', 'input contains sorry'],
  ['json:true', 'json is true'],
  ['prompt_id:*', 'prompt_id is set'],
  ['(status:error OR (model:a tag:b))', 'status: error or (model: a and tag: b)'],
])('describes %s as %s', (text, words) => {
  const [node] = parse(text).nodes
  expect(node && sentence(node)).toBe(words)
})

it('describes a group about one span', () => {
  const [node] = parse('span(span_name:a span_duration_ms>2s)', traces).nodes
  expect(node && sentence(node)).toBe('span: span_name: a and span_duration_ms > 2s')
})
