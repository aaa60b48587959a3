import type { Folder } from './data'

export interface FolderNode {
  folder: Folder
  children: FolderNode[]
}

/** Builds the folder tree, in the order of the list. */
export function folderTree(folders: Folder[]): FolderNode[] {
  const nodes = new Map(folders.map((folder) => [folder.id, { folder, children: [] as FolderNode[] }]))
  const roots: FolderNode[] = []
  for (const node of nodes.values()) {
    const parent = node.folder.parent_id === null ? undefined : nodes.get(node.folder.parent_id)
    ;(parent?.children ?? roots).push(node)
  }
  return roots
}

/** The folder and its ancestors, root first. */
export function folderPath(folders: Folder[], id: number | undefined): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const path: Folder[] = []
  let current = id === undefined ? undefined : byId.get(id)
  while (current !== undefined && path.length < 200) {
    path.unshift(current)
    current = current.parent_id === null ? undefined : byId.get(current.parent_id)
  }
  return path
}

/** Reports whether a folder is the given one or inside it, so that it cannot be moved there. */
export function isWithin(folders: Folder[], id: number, ancestor: number): boolean {
  return folderPath(folders, id).some((folder) => folder.id === ancestor)
}
