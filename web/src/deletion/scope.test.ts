import { describe, expect, it } from 'vitest'
import { counted, deletionOf, type Scope } from './scope'

const scope = (part: Partial<Scope>): Scope => ({ kind: 'requests', name: '', traces: false, ...part })

describe('what is counted', () => {
  it('is the selection, for requests and texts', () => {
    expect(counted({ user_id: 'ann' }, scope({}))).toEqual({ user_id: 'ann' })
    expect(counted({ user_id: 'ann' }, scope({ kind: 'texts', name: 'plan' }))).toEqual({ user_id: 'ann' })
  })

  it('is what has the metadata key or the score', () => {
    expect(counted({ all: true }, scope({ kind: 'key', name: ' plan ' }))).toEqual({ all: true, metadata_key: 'plan' })
    expect(counted({ request_ids: [1] }, scope({ kind: 'score', name: 'tone' }))).toEqual({ request_ids: [1], score_name: 'tone' })
    expect(counted({}, scope({ kind: 'score', name: '  ' }))).toBeUndefined()
  })
})

describe('a deletion', () => {
  it('says whether texts or traces go', () => {
    expect(deletionOf({ all: true }, scope({ kind: 'texts' }))).toEqual({ all: true, texts_only: true })
    expect(deletionOf({ all: true }, scope({ traces: true }))).toEqual({ all: true, texts_only: false })
    expect(deletionOf({ metadata_key: 'plan' }, scope({ kind: 'key', name: 'plan', traces: true }))).toEqual({ metadata_key: 'plan', delete_traces: true })
  })
})
