import { ApiError, readError, sessionHeaders } from '@/api/client'
import type { RunBody } from './body'
import { readEvents } from './sse'

/** A call that was made and failed, with the error of the provider or the server. */
export class RunError extends Error {
  constructor(
    message: string,
    /** The request log of the call, if there is one. */
    readonly request: number | null,
  ) {
    super(message)
    this.name = 'RunError'
  }
}

type Json = Record<string, unknown>

/**
 * Calls a model through the playground. Passes on the deltas and returns the
 * final event. The generated client cannot stream, so the request is made here.
 */
export async function callModel(body: RunBody, signal: AbortSignal, onPiece: (piece: Json) => void): Promise<Json> {
  const response = await send(body, signal)
  if (!response.ok || response.body === null) throw readError(response.status, await response.json().catch(() => null))
  for await (const { event, data } of readEvents(response.body)) {
    const value = JSON.parse(data) as Json
    if (event === 'delta') onPiece(value)
    if (event === 'done') return value
    if (event === 'error') {
      throw new RunError(typeof value.message === 'string' ? value.message : 'The call failed.', typeof value.request_id === 'number' ? value.request_id : null)
    }
  }
  throw new RunError('The connection was lost before the answer was complete.', null)
}

async function send(body: RunBody, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch('/api/public/v2/playground/run', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...sessionHeaders('POST') },
      body: JSON.stringify(body),
      signal,
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiError(0, 'Cannot reach the server. Check that it is running.')
  }
}
