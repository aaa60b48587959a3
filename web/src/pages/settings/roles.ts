import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'

/** The roles of a workspace with their permissions: the built-in ones, then its own, which have an id. */
export function rolesQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'roles'],
    queryFn: async () => (await call(api.GET('/api/admin/roles'))).roles,
  })
}

/** The roles of the current workspace. */
export function useRoles() {
  return useQuery(rolesQuery(useSession().workspace_id))
}

/** Reloads the roles, and the session with the user's own permissions. */
export function useRefreshRoles(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([rolesQuery(workspace_id).queryKey, ['session']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
