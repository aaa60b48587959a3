import { describe, expect, it } from 'vitest'
import { bytesOfContent, contentOfBytes, imageType, isBytes, sizeOf } from './content'

describe('file contents', () => {
  it('keeps text as text', () => {
    const content = contentOfBytes(new TextEncoder().encode('# Größe\n'))
    expect(content).toBe('# Größe\n')
    expect(sizeOf(content)).toBe(10)
  })

  it('encodes other bytes as base64 and decodes them', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
    const content = contentOfBytes(bytes)
    expect(isBytes(content)).toBe(true)
    expect(Buffer.compare(bytesOfContent(content), bytes)).toBe(0)
  })

  it('does not mistake text for encoded bytes', () => {
    const text = 'data:application/octet-stream;base64,not really'
    expect(new TextDecoder().decode(bytesOfContent(contentOfBytes(new TextEncoder().encode(text))))).toBe(text)
  })

  it('recognises images by their names', () => {
    expect(imageType('a/b.PNG')).toBe('image/png')
    expect(imageType('a/b.py')).toBeNull()
  })
})
