import { describe, expect, it } from 'vitest'
import { permissionAreas, permissionGroups } from './permissions'

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

describe('permissionAreas', () => {
  it('has one area for each kind', () => {
    expect(permissionAreas(['READ', 'PROMPT_EDIT', 'PROMPT_DEPLOY', 'REPORT_RUN', 'ADMIN', 'FLY'])).toEqual([
      {
        label: 'Workspace',
        permissions: [{ name: 'READ', label: 'Read' }, { name: 'ADMIN', label: 'Manage members and settings, read the audit log' }, { name: 'FLY', label: 'FLY' }],
      },
      { label: 'Prompts', permissions: [{ name: 'PROMPT_EDIT', label: 'Edit' }, { name: 'PROMPT_DEPLOY', label: 'Release' }] },
      { label: 'Evaluations', permissions: [{ name: 'REPORT_RUN', label: 'Run' }] },
    ])
  })

  it('shows an unknown permission of a kind by its name', () => {
    expect(permissionAreas(['TOOL_PAINT'])).toEqual([{ label: 'Tools', permissions: [{ name: 'TOOL_PAINT', label: 'TOOL_PAINT' }] }])
  })
})
