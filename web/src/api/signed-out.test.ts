import { describe, expect, it } from 'vitest'
import { signedOutHandler } from './signed-out'

/** A page that records what happened on it. */
function page({ signedIn = false, editing = false } = {}) {
  const done: string[] = []
  const state = { signedIn, editing }
  const handle = signedOutHandler({
    check: () => {
      done.push('check')
      return Promise.resolve(state.signedIn)
    },
    editing: () => state.editing,
    leave: () => done.push('leave'),
    tell: () => done.push('tell'),
  })
  return { done, state, handle }
}

describe('a request refused because the user is signed out', () => {
  it('redirects to the sign-in page', async () => {
    const { done, handle } = page()
    await handle(false)
    expect(done).toEqual(['check', 'leave'])
  })
  it('stays on the page while there are unsaved edits', async () => {
    const { done, handle } = page({ editing: true })
    await handle(false)
    expect(done).toEqual(['check', 'tell'])
  })
  it('does nothing when the user turns out to be signed in', async () => {
    const { done, handle } = page({ signedIn: true, editing: true })
    await handle(true)
    expect(done).toEqual(['check'])
  })
  it('checks the session once for many concurrent requests', async () => {
    const { done, handle } = page({ editing: true })
    await Promise.all([handle(false), handle(false), handle(false)])
    expect(done).toEqual(['check', 'tell'])
  })
  it('notifies again only when the user saves', async () => {
    const { done, handle } = page({ editing: true })
    await handle(false)
    await handle(false)
    await handle(true)
    expect(done.filter((one) => one === 'tell')).toHaveLength(2)
  })
  it('notifies again after a new sign-in', async () => {
    const { done, state, handle } = page({ editing: true })
    await handle(false)
    state.signedIn = true
    await handle(false)
    state.signedIn = false
    await handle(false)
    expect(done.filter((one) => one === 'tell')).toHaveLength(2)
  })
})
