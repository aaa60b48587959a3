import type { Answer } from '../run/answer'
import type { Search } from '../search'
import type { Session } from './session'

/** A session with its answers, as the browser keeps it. */
export interface Kept {
  session: Session
  answers: Record<string, Answer>
  /** When it was last changed. */
  at: number
}

/** As much as one session may take, and how many are kept of a workspace. */
export const mostCharacters = 600_000
export const mostSessions = 6

const form = 1

/** The name under which the session of an address is kept. */
export function seedOf({ prompt, version, request }: Search): string {
  if (request !== undefined) return `request-${request}`
  return prompt === undefined ? 'empty' : `prompt-${prompt}-${version ?? 'latest'}`
}

/** Where the sessions of one person in one workspace are kept. */
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
 * Keeps a session, without its answers where they are too much. Returns false
 * when it could not be kept. Of many sessions the oldest make room.
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
    // The browser is full: the other sessions are worth less than this one.
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
