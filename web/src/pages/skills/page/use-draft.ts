import { useState } from 'react'
import type { Pulled } from '../data'
import { beginDraft, changesOf, contentsOf, isAt, movePath, putFile, removePath, statesOf, type Changes, type DraftFiles, type Files, type FileState } from '../files/draft'

/** Unsaved edits, and the version they are based on. */
export interface Draft {
  dirty: boolean
  /** The version that the edits started from; 0 before the first one. */
  base: number
  files: DraftFiles
  contents: Files
  before: Files
  states: Record<string, FileState>
  changes: Changes
  put: (files: { path: string; content: string }[]) => void
  move: (from: string, to: string) => void
  remove: (path: string) => void
  /** Reverts the changes to one file. */
  revert: (path: string) => void
  /** Replaces the draft with the files of another version. */
  replace: (files: Files) => void
  discard: () => void
}

interface Edits {
  base: number
  before: Files
  files: DraftFiles
}

/** The draft lives as long as the page. It is created from the latest version with the first edit. */
export function useDraft(latest: Pulled): Draft {
  const [edits, setEdits] = useState<Edits | null>(null)
  const fresh = (): Edits => ({ base: latest.version?.number ?? 0, before: latest.files, files: beginDraft(latest.files) })
  const current = edits ?? fresh()
  const edit = (change: (files: DraftFiles) => DraftFiles) => setEdits((old) => {
    const begun = old ?? fresh()
    return { ...begun, files: change(begun.files) }
  })
  const states = statesOf(current.before, current.files)
  return {
    dirty: edits !== null && Object.keys(states).length > 0,
    base: current.base,
    files: current.files,
    contents: contentsOf(current.files),
    before: current.before,
    states,
    changes: changesOf(current.before, current.files),
    put: (files) => edit((old) => files.reduce((all, { path, content }) => putFile(all, path, content), old)),
    move: (from, to) => edit((old) => movePath(old, from, to)),
    remove: (path) => edit((old) => removePath(old, path)),
    revert: (path) => edit((old) => revertFile(current.before, old, path)),
    replace: (files) => edit((old) => replaceAll(old, files)),
    discard: () => setEdits(null),
  }
}

function revertFile(before: Files, draft: DraftFiles, path: string): DraftFiles {
  const place = draft[path]?.origin ?? path
  const rest = Object.fromEntries(Object.entries(draft).filter(([one, { origin }]) => one !== path && origin !== place && !isAt(one, place)))
  const content = before[place]
  return content === undefined ? rest : { ...rest, [place]: { content, origin: place } }
}

function replaceAll(draft: DraftFiles, files: Files): DraftFiles {
  const origins = new Set(Object.values(draft).map(({ origin }) => origin))
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content, origin: origins.has(path) ? path : null }]))
}
