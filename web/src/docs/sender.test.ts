import { describe, expect, it } from 'vitest'
import { senderOf, sessionHeaders } from './sender'

const origin = 'http://here.test'
const sender = senderOf({ csrf_token: 'token', workspace_id: 2, user: { email: 'ann@x.test' }, workspaces: [{ id: 2, name: 'Shop' }] })
const headersOf = (url: string, method: string, headers = {}) => sessionHeaders(sender, { url, method, headers }, origin)

describe('the sender of examples', () => {
  it('is named with the workspace', () => expect(sender.about).toContain('as ann@x.test, in the workspace Shop'))

  it.each([
    ['a read', '/a', 'GET', {}, { 'X-Workspace-Id': '2' }],
    ['a change', `${origin}/a`, 'post', {}, { 'X-Workspace-Id': '2', 'X-CSRF-Token': 'token' }],
    ['a request with a key', '/a', 'POST', { 'X-Api-Key': 'k' }, {}],
    ['a request to another server', 'http://there.test/a', 'POST', {}, {}],
  ])('adds to %s what it needs', (_, url, method, headers, wanted) => expect(headersOf(url, method, headers)).toEqual(wanted))

  it('adds nothing without a session', () => {
    expect(sessionHeaders({ about: '', csrfToken: '', workspace: null }, { url: '/a', headers: {} }, origin)).toEqual({})
  })
})
