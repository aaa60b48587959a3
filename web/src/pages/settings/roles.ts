import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The roles of the server with their permissions. They are the same in every workspace. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await call(api.GET('/api/admin/roles'))).roles,
  staleTime: Infinity,
})

/** What the roles are for, in a few words. */
const purposes: Record<string, string> = {
  Viewer: 'Read everything',
  Logger: 'Log requests and annotate them: for programs in production',
  Contributor: 'Create, edit and delete everything, run workflows and evaluations, log requests',
  Publisher: 'Release: set, move and delete labels',
  Editor: 'What Contributor and Publisher may',
  Developer: 'Manage API keys',
  Admin: 'Everything in the workspace, with its members, settings and audit log',
  Owner: 'Everything in every workspace, and the workspaces themselves',
}

export function rolePurpose(role: string): string {
  return purposes[role] ?? ''
}

export type Role = 'Viewer' | 'Logger' | 'Contributor' | 'Publisher' | 'Editor' | 'Developer' | 'Admin' | 'Owner'

/** The roles that a member can have. Owners of the installation are made in another way. */
export const memberRoles: Role[] = ['Viewer', 'Logger', 'Contributor', 'Publisher', 'Editor', 'Developer', 'Admin']

/** The roles that a key can have. */
export const keyRoles: Role[] = [...memberRoles, 'Owner']
