import { describe, expect, it } from 'vitest'
import { type Alert, conditionWords, draftOf, isComplete, isWhole, levelsOf, problems, restOf, stateWords, valueWords, watchedOf } from './alert-form'

const alert: Alert = {
  id: 1, name: 'Errors', enabled: true, query: { filter_group: { logic: 'AND', filters: [{ field: 'status', operator: 'is', value: 'ERROR' }] } }, measure: 'error_rate', score_name: null, comparison: 'above',
  threshold: 0.07, window_minutes: 15, period: null, levels: [], every_minutes: 1, minimum_requests: 10, remind_hours: 6, notify_no_data: true, state: 'ok', level_percent: 0, error: null,
  value: 0.01, requests: 20, forecast: null, from: null, until: null, evaluated_at: null, state_changed_at: null, created_by: null, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z',
}

describe('the form of an alert', () => {
  it('returns what it was made from', () => {
    const draft = draftOf(alert)
    expect(draft).toMatchObject({ kind: 'alert', q: 'status:ERROR', threshold: '7', remind: '6' })
    expect(watchedOf(draft)).toEqual({ query: alert.query, measure: 'error_rate', comparison: 'above', threshold: 0.07, window_minutes: 15, minimum_requests: 10 })
    expect(restOf(draft)).toEqual({ name: 'Errors', notify_no_data: true, remind: 6 })
  })

  it('keeps a query that cannot be typed', () => {
    const query = { filters: [{ field: 'status', operator: 'is', value: 'ERROR' }] }
    expect(watchedOf(draftOf({ ...alert, query })).query).toEqual(query)
  })

  it('makes a budget', () => {
    const draft = { ...draftOf(null, 'budget', 'model:gpt-4o'), name: 'Month', threshold: '$200' }
    expect(isComplete(draft)).toBe(true)
    expect(watchedOf(draft)).toMatchObject({ measure: 'cost', threshold: 200, period: 'month', levels: [50, 80, 100] })
    expect(watchedOf(draft)).not.toHaveProperty('window_minutes')
    expect(draftOf({ ...alert, measure: 'cost', period: 'day', window_minutes: null, levels: [100], threshold: 5 })).toMatchObject({ kind: 'budget', period: 'day', levels: '100', threshold: '5' })
  })

  it('is complete with a threshold, a name and a query that can be read', () => {
    const draft = draftOf(null)
    expect(isWhole(draft)).toBe(false)
    expect(isWhole({ ...draft, threshold: '5' })).toBe(true)
    expect(isComplete({ ...draft, threshold: '5' })).toBe(false)
    expect(isComplete({ ...draft, threshold: '5', name: 'a' })).toBe(true)
    expect(isWhole({ ...draft, threshold: '5', q: 'latency>slow' })).toBe(false)
    expect(isWhole({ ...draft, threshold: '5', measure: 'score_mean' })).toBe(false)
  })

  it('says what is wrong', () => {
    expect(problems({ ...draftOf(null), threshold: 'x' }).threshold).toBe('Enter a number')
    expect(problems({ ...draftOf(null, 'budget'), threshold: '0' }).threshold).toBe('Enter an amount greater than 0')
    expect(problems({ ...draftOf(null), remind: '0.5' }).remind).not.toBeNull()
    expect([levelsOf('50, 80%,100'), levelsOf('80,50'), levelsOf('0'), levelsOf('x')]).toEqual([[50, 80, 100], null, null, null])
  })
})

it('describes alerts', () => {
  expect(conditionWords(alert)).toBe('Error rate above 7% in 15 minutes')
  expect(conditionWords({ ...alert, measure: 'score_mean', score_name: 'tone', comparison: 'below', threshold: 50, window_minutes: 1440 })).toBe('Mean score tone below 50 in 1 day')
  expect(conditionWords({ ...alert, measure: 'cost', threshold: 200, period: 'month', window_minutes: null })).toBe('$200.00 per month')
  expect([valueWords('latency_p95', 1234.5), valueWords('error_rate', 0.12345)]).toEqual(['1,235 ms', '12.35%'])
  expect([stateWords('firing', 1), stateWords('firing', 80), stateWords('no_data')]).toEqual(['firing', '80% reached', 'no data'])
})
