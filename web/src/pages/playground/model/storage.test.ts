import { describe, expect, it } from 'vitest'
import { newAnswer } from '../run/answer'
import { emptySession } from './start'
import { load, mostCharacters, mostSessions, prefixOf, save, seedOf, type Kept } from './storage'

class MemoryStorage implements Storage {
  private readonly map = new Map<string, string>()
  get length() { return this.map.size }
  clear() { this.map.clear() }
  getItem(key: string) { return this.map.get(key) ?? null }
  key(index: number) { return [...this.map.keys()][index] ?? null }
  removeItem(key: string) { this.map.delete(key) }
  setItem(key: string, value: string) { this.map.set(key, value) }
}

const prefix = prefixOf(1, 2)
const kept = (at: number, text = ''): Kept => ({ session: emptySession(), answers: { 1: { ...newAnswer(0), text } }, at })

describe('stored sessions', () => {
  it('are restored', () => {
    const storage = new MemoryStorage()
    expect(save(storage, prefix, 'empty', kept(1, 'hello'))).toBe(true)
    expect(load(storage, prefix, 'empty')).toMatchObject(kept(1, 'hello'))
    expect(load(storage, prefixOf(2, 2), 'empty')).toBeNull()
  })

  it('are limited in number: the oldest are removed', () => {
    const storage = new MemoryStorage()
    for (let number = 1; number <= mostSessions + 3; number++) save(storage, prefix, `request-${number}`, kept(number))
    expect(storage.length).toBe(mostSessions)
    expect(load(storage, prefix, 'request-3')).toBeNull()
    expect(load(storage, prefix, 'request-4')).not.toBeNull()
  })

  it('are limited in size: answers are dropped first, then the whole session', () => {
    const storage = new MemoryStorage()
    expect(save(storage, prefix, 'empty', kept(1, 'x'.repeat(mostCharacters)))).toBe(true)
    expect(load(storage, prefix, 'empty')?.answers).toEqual({})
    const large = kept(1)
    large.session.values.text = 'x'.repeat(mostCharacters)
    expect(save(storage, prefix, 'empty', large)).toBe(false)
    expect(storage.length).toBe(0)
  })

  it('are ignored if invalid', () => {
    const storage = new MemoryStorage()
    storage.setItem(prefix + 'empty', '{"form":0}')
    expect(load(storage, prefix, 'empty')).toBeNull()
    storage.setItem(prefix + 'empty', '{')
    expect(load(storage, prefix, 'empty')).toBeNull()
  })
})

it('names a session by its URL', () => {
  expect([{}, { prompt: 1 }, { prompt: 1, version: 2 }, { request: 3 }].map(seedOf)).toEqual(['empty', 'prompt-1-latest', 'prompt-1-2', 'request-3'])
})
