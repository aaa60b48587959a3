import { describe, expect, it } from 'vitest'
import { rank, requestNumber, score } from './palette-rank'

describe('score', () => {
  it('prefers the full name, then whole words, then prefixes of the name, then of a word, then any part', () => {
    const points = ['reply', 'support-reply', 'replying', 'support replies, replying', 'unreplyable'].map((name) => score(name, 'reply'))
    expect(points).toEqual([...points].sort((a, b) => b - a))
    expect(new Set(points).size).toBe(5)
  })
  it('requires every word, in any order and case', () => {
    expect(score('Support reply', 'REPLY sup')).toBeGreaterThan(0)
    expect(score('Support reply', 'reply billing')).toBe(0)
  })
  it('prefers words in the typed order', () => {
    expect(score('Ticket classifier', 'ticket class')).toBeGreaterThan(score('classify-ticket', 'ticket class'))
    expect(score('ticket-routing', 'ticket rou')).toBeGreaterThan(score('routing of tickets', 'ticket rou'))
  })
})

describe('rank', () => {
  const items = [
    { group: 'Pages', name: 'Prompts' },
    { group: 'Prompts', name: 'say hello' },
    { group: 'Prompts', name: 'hello' },
    { group: 'Prompts', name: 'greeting', found: true },
    { group: 'Settings', name: 'Members', words: 'people hello' },
  ]
  it('puts the best group and its best items first, and matches in content last', () => {
    expect(rank(items, 'hello', 8)).toEqual([
      { group: 'Prompts', items: [items[2], items[1]] },
      { group: 'Settings', items: [items[4]] },
      { group: 'Found in content', items: [items[3]] },
    ])
  })
  it('keeps the order without a query', () => {
    expect(rank(items.slice(0, 3), '', 1)).toEqual([{ group: 'Pages', items: [items[0]] }, { group: 'Prompts', items: [items[1]] }])
  })
})

describe('requestNumber', () => {
  it.each([['42', 42], [' #42 ', 42], ['0', null], ['4x', null], ['', null]])('reads %j as %s', (typed, number) => expect(requestNumber(typed)).toBe(number))
})
