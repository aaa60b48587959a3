import { describe, expect, it } from 'vitest'
import { findField, hasKeys, operatorsOf, arityOf, requests, traces, type Field } from './fields'
import { findError, parse, parsePlaced } from './parse'
import { print, type Condition } from './syntax'

const samples: Partial<Record<Field['type'], string>> = { numeric: '2', identifier: '7', score: '80', datetime: '2026-01-02T03:04:05Z' }

describe('syntax', () => {
  it.each([
    'model:gpt-4o', 'status:ERROR latency>2000', 'metadata.env:prod', '-tag:beta', '(model:a OR model:b)', '"free text" words',
    'latency:100..200', 'model:a,b', 'model:a,', '-model:a,b', 'tag:*', '-tag:*', 'version:*', '-version:*', 'json:true', 'json:false',
    'metadata."my key":"a b"', 'metadata.env~pro', 'input^=Hello', 'output$=bye', 'output:sorry', 'output.user.name:Ann', '-refund', '-"no refund"',
    'start>2026-01-01T10:00', 'start:2026-01-01..2026-01-02', 'cost>=0.5 cost<1', '(model:a (tag:x OR tag:y))', 'prompt:"a \\"quoted\\" name"',
    'tag:"*"', 'metadata.x:"1..2"', 'latency>2s', 'user_intent:curious', '-metadata.env:*', 'score.helpful>50', 'score."of tone":10..20', '-score.helpful:*',
  ])('parses and prints %s', (text) => expect(print(parse(text))).toBe(text))

  it.each([requests, traces])('prints every operator of every field of $noun so that it can be parsed again', (vocabulary) => {
    for (const field of vocabulary.fields) {
      for (const operator of operatorsOf(field)) {
        const sample = field.values?.[0] ?? samples[field.type] ?? 'two words, "quoted"'
        const values = { none: [], one: [sample], list: [sample], pair: [sample, sample] }[arityOf(field, operator) ?? 'none']
        const condition: Condition = { kind: 'condition', field, operator, ...(hasKeys(field) ? { key: 'a.b c' } : {}), values }
        expect(parse(print({ kind: 'group', logic: 'AND', nodes: [condition] }), vocabulary).nodes).toEqual([condition])
      }
    }
  })

  it.each([
    'name:agent', 'name~agent', '-name~agent', 'duration>2s status:ERROR', 'refund late', 'span(span_tool_name:search span_status:ERROR)', '(cost>1 OR span(span_name:a (span_name~b OR span_duration_ms>5)))',
  ])('parses and prints %s of traces', (text) => expect(print(parse(text, traces))).toBe(text))

  it.each([
    ['model>3', 0, 7], ['latency>2s', 0, 7], ['-refund', 0, 7], ['(refund OR cost>1)', 0, 18], ['span(status:error)', 0, 18], ['span(refund)', 0, 12], ['-span(span_name:a)', 0, 18], ['span()', 4, 6],
  ])('reports the position of the error in %s of traces', (text, from, to) => {
    const error = findError(text, traces)
    expect([error?.from, error?.to]).toEqual([from, to])
  })

  it('searches for span as text in requests', () => expect(print(parse('span(model:a)'))).toBe('span (model:a)'))

  it('negates groups', () => expect(print(parse('-(model:a OR json:true)'))).toBe('(-model:a json:false)'))

  it('accepts the names of the API', () => {
    expect(print(parse('engine:x latency_ms>5 tags:y input_variables.a:1'))).toBe('model:x latency>5 tag:y var.a:1')
    expect(findField('output')?.api).toBe('output_text')
    expect(findField('output', true)?.api).toBe('output')
  })

  it('joins with OR', () => expect(print(parse('model:a tag:x OR model:b'))).toBe('((model:a tag:x) OR model:b)'))

  it.each([
    ['colour:red', 0, 6], ['model:a (tag:b', 8, 9], ['latency>fast', 8, 12], ['model:"x', 6, 8], ['model:', 6, 6], ['OR model:a', 0, 2], ['model:a OR', 10, 10],
    ['metadata:x', 0, 8], ['model>3', 0, 7], ['-latency>3', 0, 10], ['latency:5..1', 8, 12], ['()', 0, 2], ['model:a)', 7, 8], ['id:abc', 3, 6], ['json:maybe', 0, 10], ['score>5', 0, 5], ['score.helpful>good', 14, 18],
  ])('reports the position of the error in %s', (text, from, to) => {
    const error = findError(text)
    expect([error?.from, error?.to]).toEqual([from, to])
  })

  it('reports the positions of the parts', () => {
    expect(parsePlaced(' model:a  refund -tag:b').map(({ from, to }) => [from, to])).toEqual([[1, 8], [10, 16], [17, 23]])
  })
})
