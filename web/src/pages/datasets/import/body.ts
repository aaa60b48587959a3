/**
 * The body of an import: JSON with the file in base64. It is built in chunks, so
 * that it neither blocks the page nor holds the whole file as one string.
 */

/** The limit of the server. */
export const mostBytes = 100 * 1024 * 1024

// A multiple of three, so that the base64 chunks can be concatenated.
const pieceBytes = 3 * 1024 * 1024

/** Returns why a file cannot be imported, or null. */
export function fileProblem({ name, size }: { name: string; size: number }): string | null {
  if (!/\.(csv|json)$/i.test(name)) return `${name} is not a CSV or JSON file. The file name must end in .csv or .json.`
  if (size > mostBytes) return `${name} is too large. The limit is 100 MiB.`
  if (size === 0) return `${name} is empty.`
  return null
}

interface Target {
  group: number
  fileName: string
}

/** Encodes a file. `onProgress` is called with the completed fraction. */
export async function encodeBody(file: Blob, { group, fileName }: Target, onProgress: (share: number) => void, signal: AbortSignal, piece = pieceBytes, encode = base64): Promise<Blob> {
  const parts: BlobPart[] = [`{"dataset_group_id":${group},"file_name":${JSON.stringify(fileName)},"file_content_base64":"`]
  for (let at = 0; at < file.size; at += piece) {
    signal.throwIfAborted()
    // A separate blob, which browsers may keep outside of the page's memory.
    parts.push(new Blob([await encode(file.slice(at, at + piece))]))
    onProgress(Math.min(at + piece, file.size) / file.size)
  }
  parts.push('"}')
  return new Blob(parts, { type: 'application/json' })
}

/** The browser's own encoder, which does not block the page. */
function base64(piece: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const address = String(reader.result)
      resolve(address.slice(address.indexOf(',') + 1))
    }
    reader.onerror = () => reject(new Error('The file cannot be read. It may have been moved or deleted.'))
    reader.readAsDataURL(piece)
  })
}
