import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '@/api/fake-api'
import { textItem, type PromptTemplate } from './types'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const template: PromptTemplate = { type: 'completion', content: [textItem('Hi {name}')], input_variables: ['name'] }
const publication = { name: 'hello', template, metadata: null, message: '', labels: [] }

describe('publish', () => {
  it('sends only what is set', async () => {
    const requests = await fakeApi(() => ({ id: 1 }))
    const { publish } = await import('./publish')
    await publish(publication)
    expect(requests).toEqual([
      {
        method: 'POST', path: '/rest/prompt-templates',
        body: { prompt_template: { prompt_name: 'hello' }, prompt_version: { prompt_template: { type: 'completion', content: [textItem('Hi {name}')] }, metadata: null, commit_message: null } },
      },
    ])
  })

  it('sends folder, kind, message and labels', async () => {
    const requests = await fakeApi(() => ({ id: 1 }))
    const { publish } = await import('./publish')
    await publish({ ...publication, message: '  Shorter ', labels: ['prod'], folder: 3, isSnippet: true })
    expect(requests[0]?.body).toMatchObject({ prompt_template: { prompt_name: 'hello', folder_id: 3, is_snippet: true }, prompt_version: { commit_message: 'Shorter' }, release_labels: ['prod'] })
  })
})

describe('refuseTaken', () => {
  it('throws only for exactly the same name', async () => {
    await fakeApi(() => ({ items: [{ prompt_name: 'hello world' }, { prompt_name: 'Hello' }] }))
    const { refuseTaken } = await import('./publish')
    await expect(refuseTaken('hello')).resolves.toBeUndefined()
    await expect(refuseTaken('Hello')).rejects.toThrow('A prompt named Hello already exists.')
  })
})
