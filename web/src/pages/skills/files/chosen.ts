import { contentOfBytes, largestFile } from './content'
import { unzip, type NamedBytes } from './unzip'

/** A chosen or dropped file, with its relative path. */
export interface Chosen {
  path: string
  file: File
}

/** The files of an input; those of a folder have their paths in it. */
export function chosenOf(list: FileList): Chosen[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** The dropped files, including those in dropped folders. */
export async function droppedOf(transfer: DataTransfer): Promise<Chosen[]> {
  // Read immediately: the list is empty after the first await.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (entries.length === 0) return chosenOf(transfer.files)
  return (await Promise.all(entries.map(readEntry))).flat()
}

async function readEntry(entry: FileSystemEntry): Promise<Chosen[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return file.name === '.DS_Store' ? [] : [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: Chosen[] = []
  for (;;) {
    // A reader returns a part of the folder with each call, and nothing at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return found
    found.push(...(await Promise.all(part.map(readEntry))).flat())
  }
}

export function isArchive({ file }: Chosen): boolean {
  return /\.zip$/i.test(file.name)
}

/**
 * The name and files of a new collection. A single folder becomes the collection
 * itself, unless it is a hidden one, which indicates the provider.
 */
export function beginningOf(chosen: Chosen[]): { name: string; files: Chosen[] } {
  const [first] = chosen
  if (first === undefined) return { name: '', files: [] }
  if (chosen.length === 1 && isArchive(first)) return { name: first.file.name.replace(/\.zip$/i, ''), files: chosen }
  const folder = first.path.slice(0, first.path.indexOf('/') + 1)
  if (folder === '' || folder.startsWith('.') || !chosen.every(({ path }) => path.startsWith(folder))) return { name: '', files: chosen }
  return { name: folder.slice(0, -1), files: chosen.map(({ path, file }) => ({ path: path.slice(folder.length), file })) }
}

/** Reads the chosen files. A single archive stands for its contents. */
export async function readChosen(chosen: Chosen[]): Promise<{ path: string; content: string }[]> {
  const [only] = chosen
  const files = chosen.length === 1 && only !== undefined && isArchive(only) ? await unzip(await bytesOf(only.file), largestFile) : await Promise.all(chosen.map(readFile))
  return files.map(({ path, bytes }) => ({ path, content: contentOfBytes(bytes) }))
}

async function readFile({ path, file }: Chosen): Promise<NamedBytes> {
  if (file.size > largestFile) throw new Error(`${file.name} is too large. The limit is 5 MiB per file.`)
  return { path, bytes: await bytesOf(file) }
}

async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer())
}
