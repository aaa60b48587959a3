import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema'

/** The types of the API's document, by their names in it. */
export type Schemas = components['schemas']

/** What the API answers when it does not do what it was asked. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The member that is wrong, with what is wrong about it. */
    readonly problems: string[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

// What every request is sent with: set when the session is known.
let csrfToken = ''
let workspace: number | null = null

/** Makes the requests that follow those of this session. Without a token the one that is known stays. */
export function setCredentials(token: string | null, workspaceId: number | null): void {
  if (token !== null) csrfToken = token
  workspace = workspaceId
}

/** The headers of the session, for the few requests that are not made by `api`. */
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

// Of the operations that begin and end sessions, a refusal is an answer, not news.
const sessionPath = '/api/admin/session'

let onSignedOut: () => void = () => undefined

/** Has the function called whenever the server says that nobody is signed in any more. */
export function listenForSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** The API, typed by its own document. Use it through `call`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  // Lists in a query are repeated: filter_type=PROMPT&filter_type=SNIPPET.
  querySerializer: { array: { style: 'form', explode: true } },
})
api.use(credentials)

/**
 * Awaits an operation and returns its answer, or throws an ApiError with the
 * words of the server.
 *
 *   const page = await call(api.GET('/workflows', { params: { query: { page: 1 } } }))
 */
export async function call<T>(operation: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer
  try {
    answer = await operation
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, 'The server cannot be reached. Is it running?')
  }
  const { ok, status, url } = answer.response
  if (!ok) throw url.endsWith(sessionPath) ? inWordsOfServer(status, answer.error) : readError(status, answer.error)
  return answer.data as T
}

/** Reads the one error shape of the API. That nobody is signed in is also told to whoever listens for it. */
export function readError(status: number, body: unknown): ApiError {
  if (status !== 401) return inWordsOfServer(status, body)
  onSignedOut()
  // The server speaks of keys, which people have nothing to do with.
  return new ApiError(401, 'You are signed out.')
}

function inWordsOfServer(status: number, body: unknown): ApiError {
  const record = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const problems = Array.isArray(record.detail) ? record.detail.map(problem) : []
  const message = [record.message, record.error, record.msg].find((text) => typeof text === 'string' && text !== '')
  return new ApiError(status, typeof message === 'string' ? message : (problems[0] ?? `The server answered with status ${status}`), problems)
}

function problem(detail: unknown): string {
  const { loc, msg } = detail as { loc?: unknown[]; msg?: string }
  const where = Array.isArray(loc) ? loc.filter((part) => part !== 'body' && part !== 'query').join('.') : ''
  return where ? `${where}: ${msg ?? ''}` : (msg ?? '')
}
