/** Who sends the examples of the page: the signed-in user, or whoever has a key. */
export interface Sender {
  about: string
  csrfToken: string
  workspace: number | null
}

interface SentRequest {
  url: string
  method?: string
  headers: Record<string, string>
}

const withKey: Sender = {
  about: 'You are not signed in. To send examples, sign in to the app, or enter an API key.',
  csrfToken: '',
  workspace: null,
}

/** Reads the session of the app, for the workspace that was last opened in it. */
export async function loadSender(): Promise<Sender> {
  const workspace = localStorage.getItem('promptuary.workspace')
  try {
    const answer = await fetch('/api/admin/session', { headers: workspace === null ? {} : { 'X-Workspace-Id': workspace } })
    return answer.ok ? senderOf(await answer.json()) : withKey
  } catch {
    return withKey // the document cannot be loaded either, and the page says so
  }
}

interface Session {
  csrf_token?: string
  workspace_id: number
  user?: { email: string } | null
  workspaces?: { id: number; name: string }[]
}

export function senderOf(session: Session): Sender {
  const name = session.workspaces?.find(({ id }) => id === session.workspace_id)?.name ?? String(session.workspace_id)
  return {
    about: `Examples are sent as ${session.user?.email ?? 'you'}, in the workspace ${name}, and take effect there. If you enter an API key, it is used instead.`,
    csrfToken: session.csrf_token ?? '',
    workspace: session.workspace_id,
  }
}

/** The headers that a request of the signed-in user needs. A key needs none, and other servers get none. */
export function sessionHeaders(sender: Sender, request: SentRequest, origin = window.location.origin): Record<string, string> {
  const named = Object.keys(request.headers).map((name) => name.toLowerCase())
  if (sender.workspace === null || named.includes('x-api-key') || new URL(request.url, origin).origin !== origin) return {}
  const headers: Record<string, string> = { 'X-Workspace-Id': String(sender.workspace) }
  if ((request.method ?? 'GET').toUpperCase() !== 'GET') headers['X-CSRF-Token'] = sender.csrfToken
  return headers
}
