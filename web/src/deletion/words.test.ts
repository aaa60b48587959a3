import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { confirmation, confirms, facts, partWords, subjectWords } from './words'

const done: Schemas['DeletionItem'] = {
  id: 7, state: 'done', error: null, source: 'query', query: {}, user_id: null, texts_only: false, metadata_key: null, score_name: null, delete_traces: false, total: 1200, logs: 1200, traces: 0, first_id: 3, last_id: 5000,
  ids_sha256: 'ab12', files: 2, bytes_before: 5_000_000, bytes_after: 1_000_000, damaged_bytes: 0, progress: 1, created_by: 'ann@x.test', created_at: '2026-01-02T03:04:05Z', ended_at: '2026-01-02T03:04:06Z',
}

describe('what a deletion is about', () => {
  it('names the user, the number of IDs or the query', () => {
    expect(subjectWords({ ...done, source: 'user', user_id: 'u1' })).toBe('Everything of user u1')
    expect(subjectWords({ ...done, source: 'ids', total: 1 })).toBe('1 request by ID')
    expect(subjectWords(done)).toBe('All requests')
    expect(subjectWords({ ...done, query: { filters: [{ field: 'status', operator: 'is', value: 'ERROR' }] } })).toContain('ERROR')
  })
})

describe('a certificate', () => {
  const value = (one: typeof done, label: string) => facts(one).find(([name]) => name === label)?.[1]

  it('says how many requests were deleted, and which', () => {
    expect(value(done, 'Requests')).toBe('1,200, with IDs from 3 to 5000')
    expect(value(done, 'SHA-256 of the IDs')).toBe('ab12')
    expect(value(done, 'Files rewritten')).toBe('2, 5.0 MB before and 1.0 MB afterwards')
  })

  it('leaves out what does not apply', () => {
    expect(facts(done).map(([label]) => label)).not.toContain('Damaged parts')
    expect(value({ ...done, damaged_bytes: 10 }, 'Damaged parts')).toContain('10 B')
    expect(value({ ...done, logs: 0, first_id: null, last_id: null }, 'Requests')).toBe('0')
    expect(value({ ...done, texts_only: true }, 'Deleted')).toContain('Texts')
    expect(value({ ...done, metadata_key: 'plan' }, 'Deleted')).toBe('The metadata key plan with all keys below it')
    expect(value({ ...done, score_name: 'tone', delete_traces: true }, 'Deleted')).toBe('The score tone, and the traces of the requests')
    expect(value({ ...done, state: 'failed', error: 'no space' }, 'Error')).toBe('no space')
  })
})

describe('the part of requests that is deleted', () => {
  it('is named in the list of deletions', () => {
    expect(partWords(done)).toBeNull()
    expect(partWords({ ...done, texts_only: true })).toBe('texts only')
    expect(partWords({ ...done, metadata_key: 'plan' })).toBe('metadata key plan only')
    expect(partWords({ ...done, score_name: 'tone' })).toBe('score tone only')
  })
})

describe('the confirmation', () => {
  it('is the number, also with commas', () => {
    expect(confirmation(undefined, 1200)).toBe('1200')
    expect(confirms(' 1,200 ', '1200')).toBe(true)
    expect(confirms('120', '1200')).toBe(false)
    expect(confirms('', '1200')).toBe(false)
  })

  it('is the ID of the user as it is', () => {
    expect(confirms('a,b', confirmation('a,b', 3))).toBe(true)
    expect(confirms('ab', confirmation('a,b', 3))).toBe(false)
  })
})
