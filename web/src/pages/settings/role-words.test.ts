import { describe, expect, it } from 'vitest'
import { rolePurpose, rolesFor } from './role-words'

const roles = ['Ingest', 'Viewer', 'Owner', 'Author'].map((name, i) => ({ id: name === 'Author' ? i : null, name, permissions: [] }))

describe('rolesFor', () => {
  it('offers all roles for keys', () => {
    expect(rolesFor('keys', roles)).toEqual(roles)
  })

  it('offers members no role of keys, but custom ones', () => {
    expect(rolesFor('members', roles).map(({ name }) => name)).toEqual(['Viewer', 'Author'])
  })
})

describe('rolePurpose', () => {
  it('describes custom roles', () => {
    expect(rolePurpose('Author')).toBe('Custom role')
    expect(rolePurpose('Viewer')).toBe('Read everything')
  })
})
