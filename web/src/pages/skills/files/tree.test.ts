import { describe, expect, it } from 'vitest'
import { buildTree, firstFile, folderOf } from './tree'

describe('tree', () => {
  it('sorts files into folders, folders first', () => {
    const tree = buildTree(['b.md', 'a/x/2.txt', 'a/10.txt', 'a/9.txt'])
    expect(tree.map(({ name }) => name)).toEqual(['a', 'b.md'])
    const [a] = tree
    expect(a?.kind === 'folder' && a.children.map(({ path }) => path)).toEqual(['a/x', 'a/9.txt', 'a/10.txt'])
  })

  it('returns the folder of a path', () => {
    expect(folderOf('a/b/c.md')).toBe('a/b')
    expect(folderOf('c.md')).toBe('')
  })

  it('opens SKILL.md first', () => {
    expect(firstFile(['a/b/SKILL.md', 'README.md', 'a/SKILL.md'])).toBe('a/SKILL.md')
    expect(firstFile(['z.py', 'notes.md'])).toBe('notes.md')
    expect(firstFile([])).toBeUndefined()
  })
})
