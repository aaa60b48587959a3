import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunBody } from './body'
import { Answers } from './answers'

vi.mock('@/api/client', () => {
  class ApiError extends Error {
    problems: string[] = []
    constructor(readonly status: number, message: string) {
      super(message)
    }
  }
  return { ApiError, readError: (status: number, body: { message: string }) => new ApiError(status, body.message), sessionHeaders: () => ({ 'X-Workspace-Id': '1' }) }
})

const body = {} as RunBody
const encoder = new TextEncoder()
const event = (name: string, data: unknown) => encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

/** A provider whose stream is written by the test. */
function fakeServer() {
  const streams: { send: (name: string, data: unknown) => void; end: () => void; signal: AbortSignal }[] = []
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        streams.push({ signal, send: (name, data) => controller.enqueue(event(name, data)), end: () => controller.close() })
      },
    })
    return Promise.resolve(new Response(stream))
  })
  return streams
}

describe('answers', () => {
  let answers: Answers
  beforeEach(() => {
    answers = new Answers()
  })
  afterEach(() => vi.unstubAllGlobals())

  it('stream and end', async () => {
    const streams = fakeServer()
    const run = answers.run(1, body)
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    streams[0]?.send('delta', { text: 'Hel' })
    streams[0]?.send('delta', { text: 'lo' })
    await vi.waitFor(() => expect(answers.get(1)?.text).toBe('Hello'))
    expect(answers.running()).toBe(true)
    streams[0]?.send('done', { request_id: 5, output: { type: 'chat', messages: [{ role: 'assistant', content: [] }] } })
    await run
    expect(answers.get(1)).toMatchObject({ state: 'done', request: 5 })
    expect(answers.running()).toBe(false)
  })

  it('keep the partial text when stopped', async () => {
    const streams = fakeServer()
    const run = answers.run(1, body)
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    streams[0]?.send('delta', { text: 'Hel' })
    await vi.waitFor(() => expect(answers.get(1)?.text).toBe('Hel'))
    answers.stopAll()
    await run
    expect(streams[0]?.signal.aborted).toBe(true)
    expect(answers.get(1)).toMatchObject({ state: 'stopped', text: 'Hel', failure: null })
  })

  it('are replaced by the next run', async () => {
    const streams = fakeServer()
    const first = answers.run(1, body)
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    const second = answers.run(1, body)
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    await first
    streams[1]?.send('delta', { text: 'new' })
    streams[1]?.send('done', {})
    await second
    expect(answers.get(1)).toMatchObject({ state: 'done', text: 'new' })
  })

  it('report why they failed', async () => {
    const streams = fakeServer()
    const failing = answers.run(1, body)
    const cut = answers.run(2, body)
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    streams[0]?.send('delta', { text: 'a' })
    streams[0]?.send('error', { message: 'no such model', request_id: 9 })
    streams[1]?.end()
    await Promise.all([failing, cut])
    expect(answers.get(1)).toMatchObject({ state: 'failed', text: 'a', request: 9, failure: { message: 'no such model', refused: false } })
    expect(answers.get(2)?.failure?.message).toContain('lost')
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ message: 'No API key' }, { status: 400 })))
    await answers.run(3, body)
    expect(answers.get(3)?.failure).toEqual({ message: 'No API key', refused: true })
  })

  it('are stored with their partial text', async () => {
    const streams = fakeServer()
    void answers.run(1, body)
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    expect(new Answers(answers.all()).get(1)?.state).toBe('stopped')
  })
})
