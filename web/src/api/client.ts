import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema'

/** The schema types of the OpenAPI document by name. */
export type Schemas = components['schemas']

/** An error response of the API. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Each invalid field with what is wrong with it. */
    readonly problems: string[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

// Headers sent with every request, set when the session is loaded.
let csrfToken = ''
let workspace: number | null = null

/** Uses this session for all later requests. Without a token, keeps the current one. */
export function setCredentials(token: string | null, workspaceId: number | null): void {
  if (token !== null) csrfToken = token
  workspace = workspaceId
}

/** The session headers, for requests that do not go through `api`. */
export function sessionHeaders(method: string): Record<string, string> {
  const headers: Record<string, string> = {}
  if (workspace !== null) headers['X-Workspace-Id'] = String(workspace)
  if (method !== 'GET' && csrfToken !== '') headers['X-CSRF-Token'] = csrfToken
  return headers
}

const credentials: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(sessionHeaders(request.method))) request.headers.set(name, value)
    return request
  },
}

// For operations that start or end a session, 401 is an ordinary response.
const sessionPath = '/api/admin/session'

let onSignedOut: () => void = () => undefined

/** Registers a function to call when the server reports that the user is signed out. */
export function listenForSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** The API client, typed by the OpenAPI document. Use it through `call`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  // Query lists are repeated: filter_type=PROMPT&filter_type=SNIPPET.
  querySerializer: { array: { style: 'form', explode: true } },
})
api.use(credentials)

/**
 * Awaits an operation and returns its response, or throws an ApiError with the
 * server's message.
 *
 *   const page = await call(api.GET('/workflows', { params: { query: { page: 1 } } }))
 */
export async function call<T>(operation: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer
  try {
    answer = await operation
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, 'Cannot reach the server. Check that it is running.')
  }
  const { ok, status, url } = answer.response
  if (!ok) throw url.endsWith(sessionPath) ? inWordsOfServer(status, answer.error) : readError(status, answer.error)
  return answer.data as T
}

/** Reads an error response and notifies the listener when the user is signed out. */
export function readError(status: number, body: unknown): ApiError {
  if (status !== 401) return inWordsOfServer(status, body)
  onSignedOut()
  // The server's message mentions API keys, which do not apply to signed-in users.
  return new ApiError(401, 'You are signed out.')
}

function inWordsOfServer(status: number, body: unknown): ApiError {
  const record = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const problems = Array.isArray(record.detail) ? record.detail.map(problem) : []
  const message = [record.message, record.error, record.msg].find((text) => typeof text === 'string' && text !== '')
  return new ApiError(status, typeof message === 'string' ? message : (problems[0] ?? `The server responded with status ${status}.`), problems)
}

function problem(detail: unknown): string {
  const { loc, msg } = detail as { loc?: unknown[]; msg?: string }
  const where = Array.isArray(loc) ? loc.filter((part) => part !== 'body' && part !== 'query').join('.') : ''
  return where ? `${where}: ${msg ?? ''}` : (msg ?? '')
}
