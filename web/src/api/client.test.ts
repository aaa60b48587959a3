import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://promptuary.test' } })
const { ApiError, call, listenForSignedOut, readError, sessionHeaders, setCredentials } = await import('./client')

const operation = (status: number, error?: unknown, url = 'http://promptuary.test/workflows') =>
  Promise.resolve({ data: { total: 1 }, error, response: Object.defineProperty(new Response('{}', { status }), 'url', { value: url }) })

let signedOut = 0
beforeEach(() => {
  signedOut = 0
  listenForSignedOut(() => (signedOut += 1))
})
afterEach(() => listenForSignedOut(() => undefined))

describe('readError', () => {
  it.each([
    [{ message: 'Name is required', error: 'validation_error' }, 'Name is required', []],
    [{ error: 'not_found' }, 'not_found', []],
    [{ msg: 'older format' }, 'older format', []],
    [{ detail: [{ loc: ['body', 'charts', 0, 'title'], msg: 'Field required' }, { loc: ['query'], msg: 'Too long' }] }, 'charts.0.title: Field required', ['charts.0.title: Field required', 'Too long']],
    [{ message: '' }, 'The server responded with status 422.', []],
    [null, 'The server responded with status 422.', []],
    ['a text', 'The server responded with status 422.', []],
  ])('reads %j', (body, message, problems) => {
    const error = readError(422, body)
    expect([error.status, error.message, error.problems]).toEqual([422, message, problems])
    expect(signedOut).toBe(0)
  })

  it('hides messages about keys from signed-out users, and notifies the listener', () => {
    expect(readError(401, { message: 'Invalid API key' }).message).toBe('You are signed out.')
    expect(signedOut).toBe(1)
  })
})

describe('call', () => {
  it('returns the data of a successful operation', async () => expect(await call(operation(200))).toEqual({ total: 1 }))

  it('throws the error of the server', async () => {
    await expect(call(operation(404, { message: 'Workflow not found' }))).rejects.toEqual(new ApiError(404, 'Workflow not found'))
  })

  it('reports that the server cannot be reached', async () => {
    await expect(call(Promise.reject(new TypeError('fetch failed')))).rejects.toMatchObject({ status: 0, message: expect.stringContaining('Cannot reach the server') as string })
  })

  it('passes on that a request was aborted', async () => {
    const abort = new DOMException('stopped', 'AbortError')
    await expect(call(Promise.reject(abort))).rejects.toBe(abort)
  })

  it('notifies the listener of 401, except for the session itself', async () => {
    await expect(call(operation(401, { message: 'Wrong password' }, 'http://promptuary.test/api/admin/session'))).rejects.toThrow('Wrong password')
    expect(signedOut).toBe(0)
    await expect(call(operation(401, { message: 'Invalid API key' }))).rejects.toThrow('You are signed out.')
    expect(signedOut).toBe(1)
  })
})

describe('sessionHeaders', () => {
  it('names the workspace, and the token only for changes', () => {
    setCredentials('token', 7)
    expect(sessionHeaders('GET')).toEqual({ 'X-Workspace-Id': '7' })
    expect(sessionHeaders('POST')).toEqual({ 'X-Workspace-Id': '7', 'X-CSRF-Token': 'token' })
  })

  it('keeps the token when only the workspace changes', () => {
    setCredentials('token', 7)
    setCredentials(null, null)
    expect(sessionHeaders('DELETE')).toEqual({ 'X-CSRF-Token': 'token' })
  })
})
