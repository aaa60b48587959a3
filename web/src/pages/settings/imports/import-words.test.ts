import { describe, expect, it } from 'vitest'
import { amountOf, countsOf, fieldOf, fileProblem, filled, hasRequests, type Import, mapped, nounOf, remarkWords, reportAddress, rowWords } from './import-words'

const none = { rows: 0, accepted: 0, refused: 0, ignored: 0, existing: 0, unlinked: 0, first: [] }
const some: Import = {
  id: 7, file_name: 'logs.csv', state: 'checked', error: null, format: 'csv', columns: {}, defaults: {}, parts: 1, size: 100, sha256: 'ab', skip_refused: false, progress: 1,
  check: { ...none, rows: 1200, accepted: 1100, refused: 100 }, result: { ...none, rows: 3, accepted: 3 }, server: null, created_by: null, created_at: '2026-03-01T00:00:00Z', ended_at: null,
}

describe('counts', () => {
  it('are those of the check until the import is started', () => {
    expect(countsOf(some)).toBe(some.check)
    expect(countsOf({ ...some, state: 'running' })).toBe(some.result)
    expect(countsOf({ ...some, state: 'done', ended_at: '2026-03-01T00:01:00Z' })).toBe(some.result)
    expect(rowWords(some)).toBe('1,100 of 1,200')
    expect(rowWords({ ...some, state: 'running' })).toBe('3')
    expect(rowWords({ ...some, check: none })).toBe('')
  })
  it('say what became of other rows', () => {
    expect(remarkWords(none)).toEqual([])
    expect(remarkWords({ refused: 1, ignored: 2000, existing: 0, unlinked: 3 })).toEqual([
      '1 row refused: not valid', '2,000 rows ignored: no requests to models', '3 rows without the prompt: this workspace does not have it',
    ])
  })
})

describe('an import from a server', () => {
  const server = { address: 'https://there.example.com', parts: ['prompts', 'requests'], conflict: 'skip', since: null } satisfies Import['server']
  it('has items', () => {
    expect([nounOf(some), nounOf({ server })]).toEqual(['row', 'item'])
    expect([amountOf(some, 1), amountOf({ server }, 1200)]).toEqual(['1 request', '1,200 items'])
    expect(remarkWords({ refused: 1, ignored: 2, existing: 3, unlinked: 0 }, 'item')).toEqual(['1 item refused', '2 items ignored: nothing to import', '3 items left out: already in this workspace'])
  })
  it('has requests only if they were asked for', () => {
    expect(hasRequests(some)).toBe(true)
    expect(hasRequests({ ...some, result: none })).toBe(false)
    expect(hasRequests({ ...some, server })).toBe(true)
    expect(hasRequests({ ...some, server: { ...server, parts: ['prompts'] } })).toBe(false)
  })
})

describe('a mapping', () => {
  const mapping = { input: 'Question', output: 'Answer' }
  it('has one field for a column and one column for a field', () => {
    expect(fieldOf(mapping, 'Question')).toBe('input')
    expect(fieldOf(mapping, 'Other')).toBe('')
    expect(mapped(mapping, 'Other', 'output')).toEqual({ input: 'Question', output: 'Other' })
    expect(mapped(mapping, 'Answer', 'input')).toEqual({ input: 'Answer' })
    expect(mapped(mapping, 'Answer', '')).toEqual({ input: 'Question' })
  })
  it('has default values with a text only', () => {
    expect(filled({ provider: ' openai ', model: '  ' })).toEqual({ provider: 'openai' })
  })
})

describe('a file', () => {
  it('is checked before it is uploaded', () => {
    expect(fileProblem({ name: 'a.csv', size: 1 })).toBeNull()
    expect(fileProblem({ name: 'a.csv', size: 0 })).toContain('empty')
    expect(fileProblem({ name: 'a.csv', size: 5 * 1024 ** 3 })).toContain('larger')
  })
  it('must be the same to go on', () => {
    expect(fileProblem({ name: 'logs.csv', size: 200 }, some)).toBeNull()
    expect(fileProblem({ name: 'other.csv', size: 200 }, some)).toContain('logs.csv')
    expect(fileProblem({ name: 'logs.csv', size: 99 }, some)).toContain('logs.csv')
  })
})

it('the report is a link', () => {
  expect(reportAddress(7, 2, 'csv')).toBe('/api/public/v2/imports/7/report?format=csv&workspace_id=2')
})
