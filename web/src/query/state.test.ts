import { describe, expect, it } from 'vitest'
import { traces } from './fields'
import { addFilter, choosesSources, narrow, queryError, requestBody, spanBefore, timeSpan, traceBody, type QueryState } from './state'

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

  it('leaves tests out of production, unless the query names sources', () => {
    const production = { field: 'source', operator: 'not_in', value: ['playground', 'evaluation'] }
    expect(requestBody({ range: 'all', sources: 'production' }).filter_group?.filters).toEqual([production])
    expect(requestBody({ q: 'model:a', range: 'all', sources: 'production' }).filter_group?.filters).toEqual([production, { field: 'engine', operator: 'is', value: 'a' }])
    expect(requestBody({ range: 'all', sources: 'all' })).toEqual({})
    const named = { q: '(source:playground OR model:a)', range: 'all' }
    expect(requestBody({ ...named, sources: 'production' })).toEqual(requestBody(named))
    expect([choosesSources(named), choosesSources({ q: 'model:a' }), choosesSources({}), choosesSources({ q: '(' })]).toEqual([true, false, false, false])
    expect(traceBody({ range: 'all', sources: 'production' })).toEqual({})
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

  it('has periods of the calendar', () => {
    const local = (year: number, month: number, day: number, hour = 0) => new Date(year, month - 1, day, hour).getTime()
    const noon = local(2026, 3, 5, 12) // a Thursday
    expect(timeSpan({ range: 'today' }, noon)).toEqual({ from: local(2026, 3, 5), to: null })
    expect(timeSpan({ range: 'yesterday' }, noon)).toEqual({ from: local(2026, 3, 4), to: local(2026, 3, 5) - 1 })
    expect(timeSpan({ range: 'week' }, noon)).toEqual({ from: local(2026, 3, 2), to: null })
    expect(timeSpan({ range: 'last-week' }, noon)).toEqual({ from: local(2026, 2, 23), to: local(2026, 3, 2) - 1 })
    expect(timeSpan({ range: 'week' }, local(2026, 3, 1, 12)).from).toBe(local(2026, 2, 23)) // a Sunday
    expect(timeSpan({ range: 'month' }, noon)).toEqual({ from: local(2026, 3, 1), to: null })
    expect(timeSpan({ range: 'last-month' }, noon)).toEqual({ from: local(2026, 2, 1), to: local(2026, 3, 1) - 1 })
  })

  it('compares with the period before', () => {
    const local = (year: number, month: number, day: number, hour = 0) => new Date(year, month - 1, day, hour).getTime()
    const noon = local(2026, 3, 31, 12)
    expect(spanBefore({ range: '24h' }, noon)).toEqual({ from: noon - 48 * 3_600_000, to: noon - 24 * 3_600_000 - 1 })
    expect(spanBefore({ range: 'today' }, noon)).toEqual({ from: local(2026, 3, 30), to: local(2026, 3, 30, 12) })
    expect(spanBefore({ range: 'yesterday' }, noon)).toEqual({ from: local(2026, 3, 29), to: local(2026, 3, 30) - 1 })
    expect(spanBefore({ range: 'month' }, noon)).toEqual({ from: local(2026, 2, 1), to: local(2026, 3, 1) - 1 }) // February is shorter
    expect(spanBefore({ from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual({ from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2026-01-02T00:00:00Z') - 1 })
    expect(spanBefore({ range: 'all' }, noon)).toBeNull()
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
