import type { Schemas } from '@/api/client'

export type Role = Schemas['RoleItem']

/** Short descriptions of the built-in roles. */
const purposes: Record<string, string> = {
  Ingest: 'Log and annotate requests, without reading anything',
  Viewer: 'Read everything',
  Logger: 'Read everything, log and annotate requests, for applications that fetch prompts',
  Contributor: 'Create, edit and delete everything, run workflows and evaluations, log requests',
  Publisher: 'Set, move and delete release labels',
  Editor: 'Everything that Contributor and Publisher can do',
  Developer: 'Manage API keys',
  Admin: 'Everything in the workspace, including members, settings and the audit log',
  Owner: 'Everything in every workspace, including the workspaces themselves',
}

export function rolePurpose(role: string): string {
  return purposes[role] ?? 'Custom role'
}

/** The roles that only keys can have. Owners of the installation are managed separately. */
const onlyForKeys = ['Ingest', 'Owner']

export function rolesFor(holders: 'members' | 'keys', roles: Role[]): Role[] {
  return holders === 'keys' ? roles : roles.filter(({ name }) => !onlyForKeys.includes(name))
}
