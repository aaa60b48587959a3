import { expect, it } from 'vitest'
import type { Folder } from './data'
import { folderPath, folderTree, isWithin } from './tree'

function folder(id: number, parent: number | null): Folder {
  return { id, name: `f${id}`, parent_id: parent, path: null, created_at: '', updated_at: '', workspace_id: 1, external_ids: [] }
}

const folders = [folder(3, 2), folder(1, null), folder(2, 1), folder(4, null)]

it('builds a tree', () => {
  const [first, second] = folderTree(folders)
  expect(first?.folder.id).toBe(1)
  expect(first?.children[0]?.children[0]?.folder.id).toBe(3)
  expect(second?.folder.id).toBe(4)
})

it('finds the path to a folder', () => {
  expect(folderPath(folders, 3).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(folderPath(folders, undefined)).toEqual([])
})

it('reports which folders contain others', () => {
  expect(isWithin(folders, 3, 1)).toBe(true)
  expect(isWithin(folders, 1, 1)).toBe(true)
  expect(isWithin(folders, 1, 3)).toBe(false)
})
