import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The roles of the server with their permissions. They are the same in every workspace. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await call(api.GET('/api/admin/roles'))).roles,
  staleTime: Infinity,
})

/** Short descriptions of the roles. */
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
  return purposes[role] ?? ''
}

export type Role = 'Ingest' | 'Viewer' | 'Logger' | 'Contributor' | 'Publisher' | 'Editor' | 'Developer' | 'Admin' | 'Owner'

/** The roles that a member can have. Owners of the installation are managed separately. */
export const memberRoles: Role[] = ['Viewer', 'Logger', 'Contributor', 'Publisher', 'Editor', 'Developer', 'Admin']

/** The roles that a key can have. */
export const keyRoles: Role[] = ['Ingest', ...memberRoles, 'Owner']
