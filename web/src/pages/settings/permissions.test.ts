import { describe, expect, it } from 'vitest'
import { permissionGroups } from './permissions'

describe('permissionGroups', () => {
  it('groups related permissions', () => {
    expect(permissionGroups(['PROMPT_EDIT', 'ADMIN', 'PROMPT_CREATE', 'PROMPT_EDIT'])).toEqual([
      { label: 'Create, edit and delete prompts', permissions: ['PROMPT_CREATE', 'PROMPT_EDIT'] },
      { label: 'Manage members and settings, read the audit log', permissions: ['ADMIN'] },
    ])
  })

  it('shows an unknown permission by its name', () => {
    expect(permissionGroups(['OWN', 'FLY'])).toEqual([
      { label: 'Manage workspaces and owners', permissions: ['OWN'] },
      { label: 'FLY', permissions: ['FLY'] },
    ])
  })
})
