/**
 * The body of an import: JSON with the file in base64. It is put together from
 * pieces, so that neither the page waits for long nor the whole file is held
 * as one text.
 */

/** What the server takes at most. */
export const mostBytes = 100 * 1024 * 1024

// A multiple of three, so that the pieces of base64 can be put one after the other.
const pieceBytes = 3 * 1024 * 1024

/** Says why a file cannot be imported, null when it can. */
export function fileProblem({ name, size }: { name: string; size: number }): string | null {
  if (!/\.(csv|json)$/i.test(name)) return `${name} is neither a CSV nor a JSON file. The name has to end in .csv or .json.`
  if (size > mostBytes) return `${name} is too large. Files of up to 100 MiB can be imported.`
  if (size === 0) return `${name} is empty.`
  return null
}

interface Target {
  group: number
  fileName: string
}

/** Encodes a file; `onProgress` is called with the share that is done. */
export async function encodeBody(file: Blob, { group, fileName }: Target, onProgress: (share: number) => void, signal: AbortSignal, piece = pieceBytes, encode = base64): Promise<Blob> {
  const parts: BlobPart[] = [`{"dataset_group_id":${group},"file_name":${JSON.stringify(fileName)},"file_content_base64":"`]
  for (let at = 0; at < file.size; at += piece) {
    signal.throwIfAborted()
    // As a blob of its own, which browsers may keep outside of the page's memory.
    parts.push(new Blob([await encode(file.slice(at, at + piece))]))
    onProgress(Math.min(at + piece, file.size) / file.size)
  }
  parts.push('"}')
  return new Blob(parts, { type: 'application/json' })
}

/** The browser's own encoder, which does not hold up the page. */
function base64(piece: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const address = String(reader.result)
      resolve(address.slice(address.indexOf(',') + 1))
    }
    reader.onerror = () => reject(new Error('The file cannot be read. Was it moved or deleted?'))
    reader.readAsDataURL(piece)
  })
}
