import { afterEach, describe, expect, it, vi } from 'vitest'

/** A browser with stored data, and a server that answers sign-outs with the given function. */
async function browser(answer: () => Promise<{ response: Response; error?: unknown }>) {
  const kept: Record<string, string> = { 'promptuary.workspace': '2', 'promptuary.playground.1': 'secret', 'promptuary.theme': 'dark', other: 'x' }
  Object.defineProperty(kept, 'removeItem', { value: (key: string) => Reflect.deleteProperty(kept, key) })
  const went: string[] = []
  vi.stubGlobal('localStorage', kept)
  vi.stubGlobal('window', { location: { origin: 'http://promptuary.test', assign: (address: string) => went.push(address) } })
  const { api } = await import('./client')
  vi.spyOn(api, 'DELETE').mockImplementation(answer as never)
  const { signOut } = await import('./session')
  return { kept, went, signOut }
}

const answered = (status: number) => () => Promise.resolve({ response: new Response('{}', { status }), error: { message: 'refused' } })
const forgotten = { 'promptuary.theme': 'dark', other: 'x' }

describe('signOut', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  it.each([200, 401])('redirects to the sign-in page on status %d, because no session is left', async (status) => {
    const { kept, went, signOut } = await browser(answered(status))
    await signOut()
    expect(kept).toEqual(forgotten)
    expect(went).toEqual(['/app/sign-in'])
  })
  it.each([403, 500])('clears stored data and reports that the session is still active on status %d', async (status) => {
    const { kept, went, signOut } = await browser(answered(status))
    await expect(signOut()).rejects.toThrow('refused')
    expect(kept).toEqual(forgotten)
    expect(went).toEqual([])
  })
  it('clears stored data when the server cannot be reached', async () => {
    const { kept, went, signOut } = await browser(() => Promise.reject(new TypeError('fetch failed')))
    await expect(signOut()).rejects.toThrow('Cannot reach the server')
    expect(kept).toEqual(forgotten)
    expect(went).toEqual([])
  })
})
