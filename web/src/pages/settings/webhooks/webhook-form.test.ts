import { describe, expect, it } from 'vitest'
import { bodyOf, draftOf, eventWords, isComplete, limitProblem, resultWords, withEvent, type Delivery, type Webhook } from './webhook-form'

const stored: Webhook = {
  id: 1, name: 'Releases', url: 'https://example.com/hook', format: 'slack', events: ['label_moved', 'report_score_below'], score_below: 80, enabled: true,
  pending: 0, dead: 0, created_by: null, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z',
}

describe('the form of a webhook', () => {
  it('returns what it was made from', () => {
    const { name, url, format, events, score_below } = stored
    expect(bodyOf(draftOf(stored))).toEqual({ name, url, format, events, score_below })
  })

  it('needs a name, an address and an event', () => {
    const draft = draftOf(null)
    expect(isComplete(draft)).toBe(false)
    const filled = { ...draft, name: 'a', url: 'https://example.com', events: ['label_moved'] }
    expect(isComplete(filled)).toBe(true)
    expect(isComplete({ ...filled, name: ' ' })).toBe(false)
    expect(isComplete({ ...filled, url: '' })).toBe(false)
    expect(isComplete({ ...filled, events: [] })).toBe(false)
  })

  it('needs a number for the event that has a limit, and sends none without it', () => {
    const draft = draftOf(stored)
    expect(isComplete({ ...draft, scoreBelow: '' })).toBe(false)
    expect(isComplete({ ...draft, scoreBelow: 'many' })).toBe(false)
    expect(limitProblem({ ...draft, scoreBelow: 'many' })).toBe('Enter a number')
    expect(bodyOf({ ...draft, events: ['label_moved'] })).not.toHaveProperty('score_below')
  })

  it('keeps the events in the order of the server', () => {
    const all = ['a', 'b', 'c']
    expect(withEvent(['c'], 'a', true, all)).toEqual(['a', 'c'])
    expect(withEvent(['a', 'c'], 'a', false, all)).toEqual(['c'])
  })
})

it('names events in words, unknown ones by their names', () => {
  expect(eventWords('label_moved')).toBe('Release label moved')
  expect(eventWords('rocket_started')).toBe('rocket_started')
})

it('tells how a delivery went', () => {
  const delivery = { attempts: 0, response_status: null, error: null } as Delivery
  expect(resultWords(delivery)).toBe('Not tried yet')
  expect(resultWords({ ...delivery, attempts: 1, response_status: 500 })).toBe('Status 500')
  expect(resultWords({ ...delivery, attempts: 1, error: 'connection refused' })).toBe('connection refused')
})
