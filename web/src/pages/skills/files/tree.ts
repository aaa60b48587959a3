export interface TreeFile {
  kind: 'file'
  name: string
  path: string
}

export interface TreeFolder {
  kind: 'folder'
  name: string
  path: string
  children: TreeNode[]
}

export type TreeNode = TreeFile | TreeFolder

/** The files in their folders: folders first, each sorted by name. */
export function buildTree(paths: string[]): TreeNode[] {
  const root: TreeFolder = { kind: 'folder', name: '', path: '', children: [] }
  const folders = new Map<string, TreeFolder>([['', root]])
  for (const path of paths) {
    const folder = folderOf(path)
    findFolder(folders, folder).children.push({ kind: 'file', name: path.slice(folder === '' ? 0 : folder.length + 1), path })
  }
  for (const folder of folders.values()) folder.children.sort(inOrder)
  return root.children
}

function findFolder(folders: Map<string, TreeFolder>, path: string): TreeFolder {
  const known = folders.get(path)
  if (known !== undefined) return known
  const parent = folderOf(path)
  const folder: TreeFolder = { kind: 'folder', name: path.slice(parent === '' ? 0 : parent.length + 1), path, children: [] }
  folders.set(path, folder)
  findFolder(folders, parent).children.push(folder)
  return folder
}

function inOrder(a: TreeNode, b: TreeNode): number {
  if (a.kind !== b.kind) return a.kind === 'folder' ? -1 : 1
  return a.name.localeCompare(b.name, 'en', { numeric: true })
}

/** The folder of a path; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

/** The file to open first: the one that describes the skill. */
export function firstFile(paths: string[]): string | undefined {
  const sorted = [...paths].sort((a, b) => a.split('/').length - b.split('/').length || a.localeCompare(b, 'en'))
  const wanted = [/(^|\/)skill\.md$/i, /(^|\/)(readme|claude|agents)\.md$/i, /\.md$/i]
  for (const pattern of wanted) {
    const found = sorted.find((path) => pattern.test(path))
    if (found !== undefined) return found
  }
  return sorted[0]
}
