import type { Schemas } from '@/api/client'

/** Contents by paths from the root. */
export type Files = Record<string, string>

/** The files to save. Files of the base version remember their original path. */
export type DraftFiles = Record<string, { content: string; origin: string | null }>

export type Changes = Required<Pick<Schemas['SaveSkillRequest'], 'deletes' | 'file_updates'>> & { moves: { old_path: string; new_path: string }[] }

export function beginDraft(base: Files): DraftFiles {
  return Object.fromEntries(Object.entries(base).map(([path, content]) => [path, { content, origin: path }]))
}

export function contentsOf(draft: DraftFiles): Files {
  return Object.fromEntries(Object.entries(draft).map(([path, { content }]) => [path, content]))
}

/** Adds a file or replaces its content. */
export function putFile(draft: DraftFiles, path: string, content: string): DraftFiles {
  return { ...draft, [path]: { content, origin: draft[path]?.origin ?? null } }
}

/** Removes a file, or all files of a folder. */
export function removePath(draft: DraftFiles, path: string): DraftFiles {
  return Object.fromEntries(Object.entries(draft).filter(([one]) => !isAt(one, path)))
}

/** Moves a file, or everything in a folder. */
export function movePath(draft: DraftFiles, from: string, to: string): DraftFiles {
  return Object.fromEntries(Object.entries(draft).map(([path, file]) => [isAt(path, from) ? to + path.slice(from.length) : path, file]))
}

export function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(place + '/')
}

/** The changes that turn the base into the draft: deletes, then moves, then updates. */
export function changesOf(base: Files, draft: DraftFiles): Changes {
  const kept = new Set(Object.values(draft).map(({ origin }) => origin))
  const deletes = Object.keys(base).filter((path) => !kept.has(path))
  const { moves, stuck } = orderMoves(base, deletes, draft)
  const file_updates = Object.entries(draft)
    .filter(([path, { content, origin }]) => origin === null || stuck.has(path) || base[origin] !== content)
    .map(([path, { content }]) => ({ path, content }))
  // A file that is uploaded under a new path deletes its old one, unless another file takes it.
  const left = [...stuck].map((path) => draft[path]?.origin).filter((path) => path !== null && path !== undefined && draft[path] === undefined) as string[]
  return { deletes: [...deletes.filter((path) => draft[path] === undefined || moves.some(({ new_path }) => new_path === path)), ...left], moves, file_updates }
}

/**
 * Moves are applied one by one and never onto a file, so each waits until its
 * target is free. Moves that wait for each other are uploaded as new files.
 */
function orderMoves(base: Files, deletes: string[], draft: DraftFiles) {
  const taken = new Set(Object.keys(base).filter((path) => !deletes.includes(path)))
  let waiting = Object.entries(draft).flatMap(([path, { origin }]) => (origin !== null && origin !== path ? [{ old_path: origin, new_path: path }] : []))
  const moves: Changes['moves'] = []
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length
    waiting = waiting.filter((move) => {
      if (taken.has(move.new_path)) return true
      taken.delete(move.old_path)
      taken.add(move.new_path)
      moves.push(move)
      return false
    })
  }
  return { moves, stuck: new Set(waiting.map(({ new_path }) => new_path)) }
}

export type FileState = 'added' | 'changed' | 'moved' | 'removed'

/** The state of each changed file. */
export function statesOf(base: Files, draft: DraftFiles): Record<string, FileState> {
  const states: Record<string, FileState> = {}
  const kept = new Set<string>()
  for (const [path, { content, origin }] of Object.entries(draft)) {
    if (origin !== null) kept.add(origin)
    if (origin === null) {
      if (base[path] === undefined) states[path] = 'added'
      else if (base[path] !== content) states[path] = 'changed'
    } else if (origin !== path) states[path] = 'moved'
    else if (base[path] !== content) states[path] = 'changed'
  }
  for (const path of Object.keys(base)) if (!kept.has(path) && draft[path] === undefined) states[path] = 'removed'
  return states
}

/** The differences between two versions, by path. */
export function compareFiles(before: Files, after: Files): Record<string, FileState> {
  const states: Record<string, FileState> = {}
  for (const [path, content] of Object.entries(after)) {
    if (before[path] === undefined) states[path] = 'added'
    else if (before[path] !== content) states[path] = 'changed'
  }
  for (const path of Object.keys(before)) if (after[path] === undefined) states[path] = 'removed'
  return states
}

/** For example "1 file added, 2 changed". */
export function summarize(states: Record<string, FileState>): string {
  const parts = (['added', 'changed', 'moved', 'removed'] as const).flatMap((state) => {
    const number = Object.values(states).filter((one) => one === state).length
    return number > 0 ? [{ number, state }] : []
  })
  if (parts.length === 0) return 'No differences'
  return parts.map(({ number, state }, index) => (index === 0 ? `${number} ${number === 1 ? 'file' : 'files'} ${state}` : `${number} ${state}`)).join(', ')
}

/** Returns what is wrong with a path, or null. */
export function pathProblem(path: string, draft: DraftFiles, moving?: string): string | null {
  if (path === '') return 'Enter a path.'
  if (path.startsWith('/')) return 'Remove the leading slash. Paths are relative to the root of the collection.'
  if (path.endsWith('/') || path.includes('//')) return 'The path contains an empty name.'
  if (path.split('/').some((step) => step === '..' || step === '.')) return 'The path must not contain . or .. as a folder.'
  if (path.length > 1024) return 'The path is too long.'
  const others = Object.keys(draft).filter((one) => moving === undefined || !isAt(one, moving))
  if (others.includes(path)) return 'A file with this path already exists.'
  if (others.some((one) => isAt(one, path))) return 'A folder with this path already exists.'
  const file = others.find((one) => path.startsWith(one + '/'))
  return file === undefined ? null : `${file} is a file, not a folder.`
}
