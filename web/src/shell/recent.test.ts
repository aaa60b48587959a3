import { describe, expect, it } from 'vitest'
import { placeOf, withPlace } from './recent'

describe('placeOf', () => {
  it('remembers items by page title', () => {
    expect(placeOf('/1/prompts/5?tab=versions', 'support-reply · Promptuary')).toEqual({ href: '/1/prompts/5?tab=versions', title: 'support-reply' })
  })
  it('remembers an open request without its query', () => {
    expect(placeOf('/1/requests?q=x&request=17', 'Requests · Promptuary')).toEqual({ href: '/1/requests?request=17', title: 'Request 17' })
  })
  it.each(['/1/requests?q=x', '/1/prompts', '/1/settings/keys', '/'])('does not remember %s', (href) => expect(placeOf(href, 'Some page · Promptuary')).toBeNull())
  it('waits for a title', () => expect(placeOf('/1/prompts/5', 'Promptuary')).toBeNull())
})

describe('withPlace', () => {
  it('keeps one entry per page, latest first', () => {
    const places = [{ href: '/1/tools/2', title: 'tool' }, { href: '/1/prompts/5', title: 'old name' }]
    expect(withPlace(places, { href: '/1/prompts/5?tab=usage', title: 'new name' })).toEqual([{ href: '/1/prompts/5?tab=usage', title: 'new name' }, { href: '/1/tools/2', title: 'tool' }])
  })
  it('distinguishes requests', () => {
    expect(withPlace([{ href: '/1/requests?request=1', title: 'Request 1' }], { href: '/1/requests?request=2', title: 'Request 2' })).toHaveLength(2)
  })
  it('drops the oldest', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ href: `/1/prompts/${n}`, title: String(n) }))
    expect(withPlace(many, { href: '/1/tools/1', title: 'tool' })).toHaveLength(20)
  })
})
