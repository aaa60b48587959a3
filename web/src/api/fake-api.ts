import { vi } from 'vitest'

export interface FakeRequest {
  method: string
  path: string
  body?: unknown
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> }
}

/** Makes the API client respond with the given function in tests. Returns the recorded requests. */
export async function fakeApi(respond: (request: FakeRequest) => unknown): Promise<FakeRequest[]> {
  vi.stubGlobal('window', { location: { origin: 'http://promptuary.test' } })
  const { api } = await import('./client')
  const requests: FakeRequest[] = []
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
    const fake = (path: string, options: Omit<FakeRequest, 'method' | 'path'> = {}) => {
      const request = { method, path, ...options }
      requests.push(request)
      return Promise.resolve({ data: respond(request), response: new Response('{}') })
    }
    vi.spyOn(api, method).mockImplementation(fake as never)
  }
  return requests
}
