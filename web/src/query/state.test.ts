import { describe, expect, it } from 'vitest'
import { traces } from './fields'
import { addFilter, narrow, queryError, requestBody, timeSpan, traceBody, type QueryState } from './state'

const now = Date.parse('2026-01-08T00:00:00Z')

describe('state', () => {
  it('sends words as text and the rest as filters', () => {
    expect(requestBody({ q: 'refund model:gpt-4o latency>2s -tag:beta (metadata.env:prod OR status:error,)', range: 'all' })).toEqual({
      q: 'refund',
      filter_group: { logic: 'AND', filters: [
        { field: 'engine', operator: 'is', value: 'gpt-4o' },
        { field: 'latency_ms', operator: 'gt', value: 2000 },
        { field: 'tags', operator: 'not_contains', value: 'beta' },
        { logic: 'OR', filters: [
          { field: 'metadata', operator: 'key_equals', value: 'prod', nested_key: 'env' },
          { field: 'status', operator: 'in', value: ['error'] },
        ] },
      ] },
    })
    expect(requestBody({ range: 'all' })).toEqual({})
  })

  it('searches for quoted text exactly and excludes negated text', () => {
    const { q, filter_group: group } = requestBody({ q: '"card declined" -spam', range: 'all' })
    expect(q).toBe('card declined')
    expect(group?.filters).toEqual([
      { logic: 'OR', filters: [{ field: 'input_text', operator: 'contains', value: 'card declined' }, { field: 'output_text', operator: 'contains', value: 'card declined' }] },
      { logic: 'AND', filters: [{ field: 'input_text', operator: 'not_contains', value: 'spam' }, { field: 'output_text', operator: 'not_contains', value: 'spam' }] },
    ])
  })

  it('sends queries of traces, with groups about one span', () => {
    expect(traceBody({ q: '"late refund" status:error span(span_name:a (span_tool_name:b OR span_tool_name:c))', range: '1h' }, now)).toEqual({
      q: 'late refund',
      filter_group: { logic: 'AND', filters: [
        { field: 'trace_start', operator: 'after', value: '2026-01-07T23:00:00.000Z' },
        { field: 'trace_status', operator: 'is', value: 'error' },
        { logic: 'SPAN_AND', filters: [
          { field: 'span_name', operator: 'is', value: 'a' },
          { logic: 'SPAN_OR', filters: [{ field: 'span_tool_name', operator: 'is', value: 'b' }, { field: 'span_tool_name', operator: 'is', value: 'c' }] },
        ] },
      ] },
    })
    expect(queryError({ q: 'session:a' }, traces)).toBeNull()
    expect(queryError({ q: 'session:a' })).not.toBeNull()
  })

  it('parses ranges', () => {
    expect(timeSpan({}, now)).toEqual({ from: now - 7 * 86_400_000, to: null })
    expect(timeSpan({ range: '90m' }, now)).toEqual({ from: now - 90 * 60_000, to: null })
    expect(timeSpan({ range: 'nonsense' }, now).from).toBe(now - 7 * 86_400_000)
    expect(timeSpan({ from: '2026-01-01T00:00:00Z' })).toEqual({ from: Date.parse('2026-01-01T00:00:00Z'), to: null })
    const narrowed = narrow({ q: 'a', range: '7d' }, now - 1000, now)
    expect(requestBody(narrowed).filter_group?.filters[0]).toEqual({
      field: 'request_start_time', operator: 'between', value: ['2026-01-07T23:59:59.000Z', '2026-01-08T00:00:00.000Z'],
    })
  })

  it('adds filters once', () => {
    const once = addFilter({ q: 'refund' }, 'engine', 'gpt-4o')
    expect(once.q).toBe('refund model:gpt-4o')
    expect(addFilter(once, 'model', 'gpt-4o')).toBe(once)
    expect(addFilter<QueryState>({}, 'metadata', 'a b', 'env').q).toBe('metadata.env:"a b"')
    expect(addFilter<QueryState>({}, 'tags', 'x').q).toBe('tag:x')
    expect(addFilter({ q: 'span(span_name:a)' }, 'session', 'x', undefined, traces).q).toBe('span(span_name:a) session:x')
    expect(addFilter({ q: 'model:a OR model:b' }, 'status', 'ERROR').q).toBe('(model:a OR model:b) status:ERROR')
  })
})
