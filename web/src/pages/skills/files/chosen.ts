import { contentOfBytes, largestFile } from './content'
import { unzip, type NamedBytes } from './unzip'

/** A file that somebody chose or dropped, with its path below what was chosen. */
export interface Chosen {
  path: string
  file: File
}

/** The files of a field; those of a folder have their paths in it. */
export function chosenOf(list: FileList): Chosen[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** The files that were dropped, and those in dropped folders. */
export async function droppedOf(transfer: DataTransfer): Promise<Chosen[]> {
  // Asked for at once: the list is gone after the first wait.
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
    // A reader gives a part of the folder with each call, and nothing at its end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return found
    found.push(...(await Promise.all(part.map(readEntry))).flat())
  }
}

export function isArchive({ file }: Chosen): boolean {
  return /\.zip$/i.test(file.name)
}

/**
 * What a collection would be called and made of. One folder becomes the
 * collection itself, unless it is a hidden one, which tells for whom it is.
 */
export function beginningOf(chosen: Chosen[]): { name: string; files: Chosen[] } {
  const [first] = chosen
  if (first === undefined) return { name: '', files: [] }
  if (chosen.length === 1 && isArchive(first)) return { name: first.file.name.replace(/\.zip$/i, ''), files: chosen }
  const folder = first.path.slice(0, first.path.indexOf('/') + 1)
  if (folder === '' || folder.startsWith('.') || !chosen.every(({ path }) => path.startsWith(folder))) return { name: '', files: chosen }
  return { name: folder.slice(0, -1), files: chosen.map(({ path, file }) => ({ path: path.slice(folder.length), file })) }
}

/** Reads what was chosen. One archive alone stands for the files in it. */
export async function readChosen(chosen: Chosen[]): Promise<{ path: string; content: string }[]> {
  const [only] = chosen
  const files = chosen.length === 1 && only !== undefined && isArchive(only) ? await unzip(await bytesOf(only.file), largestFile) : await Promise.all(chosen.map(readFile))
  return files.map(({ path, bytes }) => ({ path, content: contentOfBytes(bytes) }))
}

async function readFile({ path, file }: Chosen): Promise<NamedBytes> {
  if (file.size > largestFile) throw new Error(`${file.name} is larger than 5 MiB, which is the most that a file may have.`)
  return { path, bytes: await bytesOf(file) }
}

async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer())
}
