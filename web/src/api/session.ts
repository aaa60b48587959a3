import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, ApiError, call, type Schemas, setCredentials } from './client'

export type Session = Schemas['SessionResponse']

/**
 * The signed-in user and their permissions in a workspace. Loading it makes all
 * later requests apply to that workspace, so pages load it first.
 */
export function sessionQuery(workspaceId: number | null) {
  return queryOptions({
    queryKey: ['session', workspaceId],
    queryFn: async (): Promise<Session> => {
      setCredentials(null, workspaceId)
      const session = await call(api.GET('/api/admin/session'))
      setCredentials(session.csrf_token ?? '', session.workspace_id)
      return session
    },
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** The session of the workspace in the URL. */
export function useSession(): Session {
  const { workspace } = useParams({ from: '/$workspace' })
  return useSuspenseQuery(sessionQuery(Number(workspace))).data
}

/** Reports whether the user has the permission. Owners have all of them. */
export function useMay(permission: string): boolean {
  const session = useSession()
  return session.user?.owner === true || session.permissions.includes(permission)
}

/** Whether the user may edit entities of any kind, which is what shared things such as views require. */
export function useMayEditAny(): boolean {
  const session = useSession()
  return session.user?.owner === true || session.permissions.some(editsEntities)
}

/** METADATA_EDIT is for annotating requests, which are not entities. */
function editsEntities(permission: string): boolean {
  return permission.endsWith('_EDIT') && permission !== 'METADATA_EDIT'
}

const lastWorkspace = 'promptuary.workspace'

/** The workspace last opened in this browser. */
export function rememberedWorkspace(): number | null {
  const id = Number(localStorage.getItem(lastWorkspace))
  return Number.isInteger(id) && id > 0 ? id : null
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(lastWorkspace, String(id))
}

/**
 * Ends the session and clears what this browser stored for it, such as
 * playground sessions and recent pages. Clears it even when ending the session
 * fails, and then throws, because the user must know that it is still active.
 */
export async function signOut(): Promise<void> {
  try {
    await call(api.DELETE('/api/admin/session'))
  } catch (failure) {
    // A session that has already ended counts as signed out.
    if (!(failure instanceof ApiError && failure.status === 401)) throw failure
  } finally {
    forget()
  }
  window.location.assign('/app/sign-in')
}

function forget(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith('promptuary.') && key !== 'promptuary.theme') localStorage.removeItem(key)
  }
}
