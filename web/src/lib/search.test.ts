import { describe, expect, it } from 'vitest'
import { readChoice, readFlag, readNumber, readText } from './search'

describe('search parameters', () => {
  it('reads texts, including those that look like numbers', () => {
    expect(readText({ q: 'refund', from: 2026, to: null, range: ['7d'] }, 'q', 'from', 'to', 'range', 'missing')).toEqual({ q: 'refund', from: '2026' })
  })

  it.each([[3, 3], ['3', 3], [0, undefined], [-1, undefined], [1.5, undefined], ['', undefined], ['3x', undefined], [true, undefined], [NaN, undefined]])('reads the number %j as %j', (value, number) => {
    expect(readNumber({ page: value }, 'page').page).toBe(number)
  })

  it('reads only listed choices', () => {
    expect(readChoice({ sort: 'name' }, 'sort', ['name', 'created'])).toEqual({ sort: 'name' })
    expect(readChoice({ sort: 'price' }, 'sort', ['name', 'created'])).toEqual({})
  })

  it.each([[true, true], ['true', true], [false, undefined], ['1', undefined], [1, undefined]])('reads the flag %j as %j', (value, flag) => expect(readFlag({ live: value }, 'live').live).toBe(flag))
})
