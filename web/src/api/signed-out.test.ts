import { describe, expect, it } from 'vitest'
import { signedOutHandler } from './signed-out'

/** A page with what was done on it. */
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

describe('a request that is refused because nobody is signed in', () => {
  it('leads to the sign-in page', async () => {
    const { done, handle } = page()
    await handle(false)
    expect(done).toEqual(['check', 'leave'])
  })
  it('leads nowhere while something is edited', async () => {
    const { done, handle } = page({ editing: true })
    await handle(false)
    expect(done).toEqual(['check', 'tell'])
  })
  it('changes nothing when somebody is signed in after all', async () => {
    const { done, handle } = page({ signedIn: true, editing: true })
    await handle(true)
    expect(done).toEqual(['check'])
  })
  it('is asked about once, however many come at once', async () => {
    const { done, handle } = page({ editing: true })
    await Promise.all([handle(false), handle(false), handle(false)])
    expect(done).toEqual(['check', 'tell'])
  })
  it('is told again only to whoever saves', async () => {
    const { done, handle } = page({ editing: true })
    await handle(false)
    await handle(false)
    await handle(true)
    expect(done.filter((one) => one === 'tell')).toHaveLength(2)
  })
  it('is told again after another sign-in', async () => {
    const { done, state, handle } = page({ editing: true })
    await handle(false)
    state.signedIn = true
    await handle(false)
    state.signedIn = false
    await handle(false)
    expect(done.filter((one) => one === 'tell')).toHaveLength(2)
  })
})
