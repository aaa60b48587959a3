import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unzip } from './unzip'

/** Writes an archive: the files, then the central directory. */
function zip(files: { path: string; text: string; packed?: boolean }[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { path, text, packed } of files) {
    const name = Buffer.from(path)
    const content = packed ? deflateRawSync(text) : Buffer.from(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(packed ? 8 : 0, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(Buffer.byteLength(text), 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, name, content)
    list.push(entry, name)
    offset += 30 + name.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, ...list, end]))
}

describe('unzip', () => {
  it('reads stored and deflated files and skips the rest', async () => {
    const files = await unzip(zip([
      { path: 'a/', text: '' }, { path: 'a/b.md', text: 'stored' }, { path: 'c.md', text: 'packed '.repeat(100), packed: true },
      { path: '__MACOSX/c.md', text: 'x' }, { path: 'a/.DS_Store', text: 'x' },
    ]), 1000)
    expect(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual([['a/b.md', 'stored'], ['c.md', 'packed '.repeat(100)]])
  })

  it('rejects large files and other formats', async () => {
    await expect(unzip(zip([{ path: 'a', text: 'x'.repeat(50), packed: true }]), 10)).rejects.toThrow('too large')
    await expect(unzip(new TextEncoder().encode('no archive at all, only a text'), 10)).rejects.toThrow('not a zip archive')
  })
})
