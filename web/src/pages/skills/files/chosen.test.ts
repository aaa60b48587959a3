import { describe, expect, it } from 'vitest'
import { beginningOf, chosenOf, isArchive, readChosen, type Chosen } from './chosen'
import { largestFile } from './content'

const chosen = (path: string, text = 'x'): Chosen => ({ path, file: new File([text], path.split('/').at(-1) ?? path) })
const pathsOf = (files: Chosen[]) => files.map(({ path }) => path)

describe('beginningOf', () => {
  it('turns a single folder into the collection', () => {
    const { name, files } = beginningOf([chosen('triage/SKILL.md'), chosen('triage/scripts/a.py')])
    expect([name, pathsOf(files)]).toEqual(['triage', ['SKILL.md', 'scripts/a.py']])
  })

  it.each([
    ['files without a folder', ['SKILL.md', 'a.py']], ['several folders', ['a/SKILL.md', 'b/SKILL.md']],
    ['a folder and a file', ['a/SKILL.md', 'README.md']], ['a hidden folder', ['.claude/skills/a.md', '.claude/b.md']],
  ])('keeps the paths of %s', (_, paths) => {
    const { name, files } = beginningOf(paths.map((path) => chosen(path)))
    expect([name, pathsOf(files)]).toEqual(['', paths])
  })

  it('names a collection after its archive', () => {
    const { name, files } = beginningOf([chosen('Release Notes.ZIP')])
    expect([name, pathsOf(files)]).toEqual(['Release Notes', ['Release Notes.ZIP']])
  })

  it('is empty without files', () => expect(beginningOf([])).toEqual({ name: '', files: [] }))
})

describe('chosen files', () => {
  it('have their path in a chosen folder', () => {
    const inFolder = Object.defineProperty(new File(['x'], 'a.md'), 'webkitRelativePath', { value: 'docs/a.md' })
    expect(pathsOf(chosenOf([inFolder, Object.defineProperty(new File(['x'], 'b.md'), 'webkitRelativePath', { value: '' })] as unknown as FileList))).toEqual(['docs/a.md', 'b.md'])
  })

  it('are archives by their name', () => expect(['a.zip', 'a.ZIP', 'zip', 'a.zip.md'].map((path) => isArchive(chosen(path)))).toEqual([true, true, false, false]))

  it('are read as text', async () => expect(await readChosen([chosen('a.md', 'Grüße'), chosen('b/c.md', '')])).toEqual([{ path: 'a.md', content: 'Grüße' }, { path: 'b/c.md', content: '' }]))

  it('must not be too large', async () => {
    const large = { path: 'a.md', file: { name: 'a.md', size: largestFile + 1 } as File }
    await expect(readChosen([large])).rejects.toThrow('a.md is too large')
  })

  it('are unpacked only if the archive is the only file', async () => {
    await expect(readChosen([chosen('broken.zip', 'not really an archive, only a text')])).rejects.toThrow('zip archive')
    expect(await readChosen([chosen('broken.zip', 'text'), chosen('a.md')])).toHaveLength(2)
  })
})
