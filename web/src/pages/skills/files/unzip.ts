/** A file of an archive, or a chosen file. */
export interface NamedBytes {
  path: string
  bytes: Uint8Array<ArrayBuffer>
}

const endMark = 0x06054b50
const entryMark = 0x02014b50

/** Reads a zip archive with stored or deflated files. */
export async function unzip(archive: Uint8Array<ArrayBuffer>, largest: number): Promise<NamedBytes[]> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const files: NamedBytes[] = []
  const end = findEnd(view)
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) throw new Error('The archive is corrupt: its file list cannot be read.')
    const nameLength = view.getUint16(at + 28, true)
    const path = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength))
    if (!isSkipped(path)) files.push({ path, bytes: await readEntry(view, archive, at, path, largest) })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

/** Finds the central directory from the end, before an optional comment. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--) {
    if (view.getUint32(at, true) === endMark) return at
  }
  throw new Error('This is not a zip archive.')
}

/** Folders, and files that some systems add. */
function isSkipped(path: string): boolean {
  return path.endsWith('/') || path.startsWith('__MACOSX/') || path.split('/').at(-1) === '.DS_Store'
}

async function readEntry(view: DataView, archive: Uint8Array<ArrayBuffer>, at: number, path: string, largest: number): Promise<Uint8Array<ArrayBuffer>> {
  if ((view.getUint16(at + 8, true) & 1) === 1) throw new Error(`${path} is encrypted.`)
  const method = view.getUint16(at + 10, true)
  const packedSize = view.getUint32(at + 20, true)
  if (view.getUint32(at + 24, true) > largest) throw new Error(`${path} is too large.`)
  const local = view.getUint32(at + 42, true)
  const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = archive.slice(begin, begin + packedSize)
  if (method === 0) return packed
  if (method !== 8) throw new Error(`${path} uses an unsupported compression method.`)
  return inflate(packed, path, largest)
}

/** Inflates, and stops if a file is larger than declared. */
async function inflate(packed: Uint8Array<ArrayBuffer>, path: string, largest: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > largest) {
      await reader.cancel()
      throw new Error(`${path} is too large.`)
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
