import { describe, expect, it } from 'vitest'
import { runOf } from './run'

describe('runOf', () => {
  it('finds workflow runs', () => {
    expect(runOf({ workflow_version_execution_id: 7, workflow_id: 3, workflow_version: 2 })).toEqual({ id: 7, workflow: 3, version: 2 })
  })
  it('finds evaluation runs', () => {
    expect(runOf({ report_id: 9, parent_report_id: 4 })).toEqual({ id: 9, evaluation: 4 })
  })
  it('finds none in other spans', () => {
    expect(runOf({ workflow_id: 3, workflow_version: 2 })).toBeUndefined()
    expect(runOf({ report_id: '9', parent_report_id: 4 })).toBeUndefined()
  })
})
