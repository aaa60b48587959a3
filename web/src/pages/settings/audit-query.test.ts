import { describe, expect, it } from 'vitest'
import { auditQuery, detailLine, isNarrowed } from './audit-query'

describe('auditQuery', () => {
  it('has no parameters without a filter', () => expect(auditQuery({ before: 7, entry: 3 })).toEqual({}))

  it('passes on filters', () => {
    expect(auditQuery({ actor: 'ada@example.com', by: 'user', action: 'label', kind: 'prompt', subject: 5 })).toEqual({
      actor: 'ada@example.com', actor_kind: 'user', action: 'label', subject_kind: 'prompt', subject_id: 5,
    })
  })

  it('requires a kind with an id', () => expect(auditQuery({ subject: 5 })).toEqual({}))

  it('starts relative ranges from the current minute', () => {
    expect(auditQuery({ range: '24h' }, new Date('2026-01-10T12:00:42Z'))).toEqual({ from: '2026-01-09T12:00:00.000Z' })
  })

  it('includes both days and ignores invalid ones', () => {
    const query = auditQuery({ range: 'custom', from: '2026-01-02', until: '2026-01-02' })
    expect(Date.parse(query.until ?? '') - Date.parse(query.from ?? '')).toBe(86_400_000 - 1)
    expect(auditQuery({ range: 'custom', from: 'soon' })).toEqual({})
  })
})

describe('isNarrowed', () => {
  it('ignores the position in the list', () => expect(isNarrowed({ before: 3, installation: true })).toBe(false))
  it('counts filters', () => expect(isNarrowed({ action: 'create' })).toBe(true))
})

describe('detailLine', () => {
  it('joins the details', () => expect(detailLine({ label: 'prod', version: 3, ends_with: '07e0', before: [], roles: ['Editor', 'Admin'] })).toBe('label: prod, version: 3, ends with: 07e0, before: none, roles: Editor + Admin'))
  it('is empty for nothing', () => expect(detailLine({})).toBe(''))
})
