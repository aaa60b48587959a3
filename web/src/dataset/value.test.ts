import { describe, expect, it } from 'vitest'
import { columnWidths, editable, kindOf, nameOfFile, oneLine, readTyped, requestOf } from './value'

describe('cell values', () => {
  it('are formatted in one line', () => {
    expect(oneLine('a\n  b')).toBe('a b')
    expect(oneLine({ a: [1, null] })).toBe('{"a":[1,null]}')
    expect(oneLine(null)).toBe('')
    expect(oneLine(false)).toBe('false')
    expect(oneLine('x'.repeat(500))).toHaveLength(300)
  })
  it('are parsed back unchanged', () => {
    for (const value of ['text', '', 5, true, { a: [1] }, ['b']]) {
      const kind = kindOf(value)
      expect(readTyped(editable(value, kind), kind)).toEqual(value)
    }
  })
  it('start as text or JSON when empty', () => {
    expect(readTyped('5', 'text')).toBe('5')
    expect(readTyped('5', 'json')).toBe(5)
    expect(readTyped(' ', 'json')).toBeNull()
    expect(() => readTyped('{', 'json')).toThrow('Invalid JSON')
  })
})

describe('columns', () => {
  it('determine column widths, within limits', () => {
    const [narrow, wide] = columnWidths(['a', 'b'], [['x', 'y'.repeat(500)]])
    expect(narrow).toBe(96)
    expect(wide).toBe(380)
  })
})

describe('files', () => {
  it('derive a dataset name from a file name', () => {
    expect(nameOfFile('support_tickets-2026.CSV')).toBe('support tickets 2026')
    expect(nameOfFile('.csv')).toBe('.csv')
  })
})

it('finds the request that a cell links to', () => {
  expect(requestOf('/app/1/requests?request=12')).toBe(12)
  expect(requestOf('https://here.test/app/1/requests/12')).toBe(12)
  expect(requestOf('requests are 12')).toBeNull()
  expect(requestOf({ request: 12 })).toBeNull()
})
