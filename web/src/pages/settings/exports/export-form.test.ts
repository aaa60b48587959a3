import { describe, expect, it } from 'vitest'
import { bodyOf, draftOf, isComplete, keepsCredentials, queryWords, readQuery, scheduleWords, timeProblem, type SavedExport } from './export-form'

const stored: SavedExport = {
  id: 1, name: 'Archive', enabled: true, source: 'requests', query: { q: 'refund' }, format: 'csv', compression: 'gzip', columns: ['id', 'price'], formulas: 'keep',
  target: { address: 's3://shelf/a', region: 'eu', endpoint: 'https://s3.example.com' }, has_credentials: true, incremental: true, last_id: null,
  schedule: { every: 'weekly', minute: 5, hour: 4, weekday: 'sunday' }, next_run_at: null, last_run: null, created_by: null,
  created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z',
}

describe('the form of a saved export', () => {
  it('returns what it was made from, without credentials', () => {
    const { name, source, query, format, compression, columns, formulas, target, incremental, schedule } = stored
    expect(bodyOf(draftOf(stored))).toEqual({ name, source, query, format, compression, columns, formulas, target, incremental, schedule })
  })

  it('sends only what the target and the schedule use', () => {
    const draft = { ...draftOf(stored), address: '/exports', every: 'hourly' as const, minute: '7', accessKey: 'a', secretKey: 'b' }
    expect(bodyOf(draft)).toMatchObject({ target: { address: '/exports' }, schedule: { every: 'hourly', minute: 7 } })
    expect(bodyOf(draft)).not.toHaveProperty('credentials')
    expect(bodyOf({ ...draft, every: 'once' }).schedule).toEqual({ every: 'once' })
  })

  it('keeps credentials only for the same service', () => {
    const draft = draftOf(stored)
    expect(isComplete(draft, stored)).toBe(true)
    expect(keepsCredentials({ ...draft, address: 's3://shelf/elsewhere' }, stored)).toBe(true)
    for (const other of [{ address: 's3://other/a' }, { region: 'us' }, { endpoint: '' }]) {
      expect(isComplete({ ...draft, ...other }, stored)).toBe(false)
      expect(isComplete({ ...draft, ...other, accessKey: 'a', secretKey: 'b' }, stored)).toBe(true)
    }
    expect(isComplete({ ...draft, accessKey: 'a' }, stored)).toBe(false)
  })

  it('keeps the columns of a dataset, which are not known', () => {
    const dataset = { ...stored, source: 'dataset' as const, query: { dataset_id: 3 }, columns: ['question'], incremental: false }
    expect(bodyOf(draftOf(dataset))).toMatchObject({ source: 'dataset', query: { dataset_id: 3 }, columns: ['question'], incremental: false })
    expect(isComplete(draftOf({ ...dataset, columns: [] }), dataset)).toBe(true)
    expect(bodyOf({ ...draftOf(dataset), incremental: true }).incremental).toBe(false)
    expect(bodyOf({ ...draftOf(null), source: 'audit', incremental: true }).incremental).toBe(true)
  })

  it('needs a name, a target, a column and times', () => {
    const draft = { ...draftOf(null), name: 'a', address: '/exports' }
    expect(isComplete(draft, null)).toBe(true)
    for (const wrong of [{ name: ' ' }, { address: '' }, { columns: new Set<string>() }, { minute: '60' }, { hour: '24' }]) {
      expect(isComplete({ ...draft, ...wrong }, null)).toBe(false)
    }
    expect(isComplete({ ...draft, every: 'once', minute: 'x' }, null)).toBe(true)
    expect(timeProblem('3', 23)).toBeNull()
    expect(timeProblem('-1', 23)).toBe('Enter a number from 0 to 23')
  })
})

it('tells schedules and queries in words', () => {
  expect(scheduleWords({ every: 'once' })).toBe('Once')
  expect(scheduleWords({ every: 'hourly', minute: 5 })).toBe('Hourly at :05')
  expect(scheduleWords({ every: 'daily', minute: 0, hour: 3 })).toBe('Daily at 03:00 UTC')
  expect(scheduleWords(stored.schedule)).toBe('Sundays at 04:05 UTC')
  expect(queryWords('requests', {})).toBe('Everything')
  expect(queryWords('dataset', { dataset_group_id: 5 })).toBe('Latest version of dataset 5')
  expect(queryWords('dataset', { dataset_id: 6 })).toBe('Dataset version 6')
  expect(queryWords('evaluation', { evaluation_id: 7 })).toBe('Newest run of evaluation 7')
  expect([queryWords('audit', {}), queryWords('audit', { action: 'publish' })]).toEqual(['Everything', '1 filter'])
  expect(queryWords('traces', { q: ' a ', filter_group: { logic: 'AND', filters: [{ field: 'x' }, { filters: [{ field: 'y' }] }] } })).toBe('“a”, 2 filters')
})

it('reads queries of the URL, and none from other texts', () => {
  expect(readQuery('{"q":"a"}')).toEqual({ q: 'a' })
  expect([readQuery('[1]'), readQuery('x'), readQuery(undefined)]).toEqual([{}, {}, {}])
})
