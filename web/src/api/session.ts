import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, ApiError, call, type Schemas, setCredentials } from './client'

export type Session = Schemas['SessionResponse']

/**
 * Who is signed in, and what they may do in a workspace. Asking for it makes
 * the requests that follow those of the workspace, so a page loads it first.
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

/** The session of the workspace that the address names. */
export function useSession(): Session {
  const { workspace } = useParams({ from: '/$workspace' })
  return useSuspenseQuery(sessionQuery(Number(workspace))).data
}

/** Whether the person may do what the permission names. Owners may do everything. */
export function useMay(permission: string): boolean {
  const session = useSession()
  return session.user?.owner === true || session.permissions.includes(permission)
}

const lastWorkspace = 'promptuary.workspace'

/** The workspace that was looked at last in this browser. */
export function rememberedWorkspace(): number | null {
  const id = Number(localStorage.getItem(lastWorkspace))
  return Number.isInteger(id) && id > 0 ? id : null
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(lastWorkspace, String(id))
}

/**
 * Ends the session, and forgets what this browser kept of it: what somebody
 * tried, and where they were. It is forgotten also when the session cannot be
 * ended, which is thrown: the person must know that it lives on.
 */
export async function signOut(): Promise<void> {
  try {
    await call(api.DELETE('/api/admin/session'))
  } catch (failure) {
    // Whose session has ended already is out.
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
