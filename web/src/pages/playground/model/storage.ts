import type { Answer } from '../run/answer'
import type { Search } from '../search'
import type { Session } from './session'

/** A session with its answers, as stored in the browser. */
export interface Kept {
  session: Session
  answers: Record<string, Answer>
  /** When it was last changed. */
  at: number
}

/** The maximum size of a session, and the maximum number per workspace. */
export const mostCharacters = 600_000
export const mostSessions = 6

const form = 1

/** The storage key of the session for a URL. */
export function seedOf({ prompt, version, request }: Search): string {
  if (request !== undefined) return `request-${request}`
  return prompt === undefined ? 'empty' : `prompt-${prompt}-${version ?? 'latest'}`
}

/** The key prefix for the sessions of one user in one workspace. */
export function prefixOf(workspace: number, user: number | null): string {
  return `promptuary.playground.${workspace}.${user ?? 0}.`
}

export function load(storage: Storage, prefix: string, seed: string): Kept | null {
  try {
    const kept = JSON.parse(storage.getItem(prefix + seed) ?? 'null') as (Kept & { form: number }) | null
    return kept?.form === form && Array.isArray(kept.session.columns) && kept.session.columns.length > 0 ? kept : null
  } catch {
    return null
  }
}

export function forget(storage: Storage, prefix: string, seed: string): void {
  storage.removeItem(prefix + seed)
}

/**
 * Stores a session, without its answers if they are too large. Returns false if
 * it could not be stored. The oldest sessions are removed to make room.
 */
export function save(storage: Storage, prefix: string, seed: string, kept: Kept): boolean {
  const whole = JSON.stringify({ form, ...kept })
  const text = whole.length <= mostCharacters ? whole : JSON.stringify({ form, ...kept, answers: {} })
  if (text.length > mostCharacters) {
    storage.removeItem(prefix + seed)
    return false
  }
  dropOldest(storage, prefix, seed, mostSessions - 1)
  try {
    storage.setItem(prefix + seed, text)
    return true
  } catch {
    // The storage is full: this session matters more than the others.
    dropOldest(storage, prefix, seed, 0)
  }
  try {
    storage.setItem(prefix + seed, text)
    return true
  } catch {
    return false
  }
}

function dropOldest(storage: Storage, prefix: string, except: string, most: number): void {
  const seeds = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    .filter((key) => key.startsWith(prefix) && key !== prefix + except)
    .map((key) => ({ seed: key.slice(prefix.length), at: load(storage, prefix, key.slice(prefix.length))?.at ?? 0 }))
    .sort((one, other) => other.at - one.at)
  for (const { seed } of seeds.slice(most)) storage.removeItem(prefix + seed)
}
