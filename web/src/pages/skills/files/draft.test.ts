import { describe, expect, it } from 'vitest'
import { beginDraft, changesOf, compareFiles, movePath, pathProblem, putFile, removePath, statesOf, summarize, type DraftFiles, type Files } from './draft'

const base: Files = { 'a.md': 'A', 'b.md': 'B', 'f/c.md': 'C', 'f/d.md': 'D' }

/** Applies changes in the order of the server. */
function apply({ deletes, moves, file_updates }: ReturnType<typeof changesOf>): Files {
  const files = new Map(Object.entries(base))
  for (const path of deletes) expect(files.delete(path), `${path} exists`).toBe(true)
  for (const { old_path, new_path } of moves) {
    expect(files.has(new_path), `${new_path} is free`).toBe(false)
    files.set(new_path, files.get(old_path) ?? 'missing')
    files.delete(old_path)
  }
  for (const { path, content } of file_updates) files.set(path, content ?? '')
  return Object.fromEntries(files)
}

const contents = (draft: DraftFiles) => Object.fromEntries(Object.entries(draft).map(([path, { content }]) => [path, content]))

describe('draft of a skill', () => {
  const begun = beginDraft(base)

  it('has no changes at first', () => {
    expect(changesOf(base, begun)).toEqual({ deletes: [], moves: [], file_updates: [] })
  })

  it.each<[string, DraftFiles]>([
    ['an edit', putFile(begun, 'a.md', 'A2')],
    ['a new file', putFile(begun, 'n/new.md', 'N')],
    ['a deleted folder', removePath(begun, 'f')],
    ['a moved folder', movePath(begun, 'f', 'g/h')],
    ['a moved and edited file', putFile(movePath(begun, 'a.md', 'z.md'), 'z.md', 'Z')],
    ['a file that replaces a deleted one', movePath(removePath(begun, 'b.md'), 'a.md', 'b.md')],
    ['a deleted file that was created again', putFile(removePath(begun, 'b.md'), 'b.md', 'B3')],
    ['a file that replaces a moved one', movePath(movePath(begun, 'b.md', 'c.md'), 'a.md', 'b.md')],
    ['two swapped files', movePath(movePath(movePath(begun, 'a.md', 't'), 'b.md', 'a.md'), 't', 'b.md')],
    ['three rotated files', movePath(movePath(movePath(movePath(begun, 'a.md', 't'), 'f/c.md', 'a.md'), 'b.md', 'f/c.md'), 't', 'b.md')],
  ])('saves %s', (_, draft) => {
    expect(apply(changesOf(base, draft))).toEqual(contents(draft))
  })

  it('moves files instead of uploading them again', () => {
    expect(changesOf(base, movePath(begun, 'f', 'g'))).toEqual({ deletes: [], moves: [{ old_path: 'f/c.md', new_path: 'g/c.md' }, { old_path: 'f/d.md', new_path: 'g/d.md' }], file_updates: [] })
  })

  it('reports the state of the files', () => {
    const draft = removePath(movePath(putFile(putFile(begun, 'a.md', 'A2'), 'n.md', 'N'), 'b.md', 'm.md'), 'f')
    expect(statesOf(base, draft)).toEqual({ 'a.md': 'changed', 'n.md': 'added', 'm.md': 'moved', 'f/c.md': 'removed', 'f/d.md': 'removed' })
  })

  it('compares two versions', () => {
    const states = compareFiles(base, { 'a.md': 'A', 'b.md': 'B2', 'new.md': 'N' })
    expect(states).toEqual({ 'b.md': 'changed', 'new.md': 'added', 'f/c.md': 'removed', 'f/d.md': 'removed' })
    expect(summarize(states)).toBe('1 file added, 1 changed, 2 removed')
    expect(summarize({})).toBe('No differences')
  })

  it.each([
    ['', true], ['/x', true], ['x/', true], ['a//b', true], ['../x', true], ['a.md', true], ['f', true], ['a.md/x', true], ['f/new.md', false],
  ])('validates the path %s', (path, bad) => expect(pathProblem(path, begun) !== null).toBe(bad))
})
