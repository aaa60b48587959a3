/** File contents in the API's format: the text itself, or marked base64 for binary data. */
const bytesPrefix = 'data:application/octet-stream;base64,'

export const largestFile = 5 * 1024 * 1024

export function isBytes(content: string): boolean {
  return content.startsWith(bytesPrefix)
}

export function contentOfBytes(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!isBytes(text)) return text
  } catch {
    // Not text: encode as base64.
  }
  let packed = ''
  // In chunks, because the number of arguments is limited.
  for (let at = 0; at < bytes.length; at += 0x8000) packed += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return bytesPrefix + btoa(packed)
}

export function bytesOfContent(content: string): Uint8Array<ArrayBuffer> {
  if (!isBytes(content)) return new TextEncoder().encode(content)
  return Uint8Array.from(atob(content.slice(bytesPrefix.length)), (character) => character.charCodeAt(0))
}

export function sizeOf(content: string): number {
  return bytesOfContent(content).length
}

const imageTypes: Record<string, string> = {
  png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', avif: 'image/avif', bmp: 'image/bmp', ico: 'image/x-icon', svg: 'image/svg+xml',
}

/** The MIME type of an image by its extension. */
export function imageType(path: string): string | null {
  return imageTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null
}
