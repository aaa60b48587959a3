import { describe, expect, it } from 'vitest'
import { encodeBody, fileProblem, mostBytes } from './body'

// Node has no FileReader.
const encode = async (piece: Blob) => Buffer.from(await piece.arrayBuffer()).toString('base64')

describe('the body of an import', () => {
  it('is JSON with the file in base64, for any chunk size', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) % 256)
    const progress: number[] = []
    const body = await encodeBody(new Blob([bytes]), { group: 4, fileName: 'a "b".csv' }, (share) => progress.push(share), new AbortController().signal, 300, encode)
    const { dataset_group_id, file_name, file_content_base64 } = JSON.parse(await body.text()) as Record<string, string>
    expect(dataset_group_id).toBe(4)
    expect(file_name).toBe('a "b".csv')
    expect(Uint8Array.from(atob(file_content_base64 ?? ''), (letter) => letter.charCodeAt(0))).toEqual(bytes)
    expect(progress).toEqual([0.3, 0.6, 0.9, 1])
  })
  it('stops when aborted', async () => {
    const stopped = new AbortController()
    stopped.abort()
    await expect(encodeBody(new Blob(['a']), { group: 1, fileName: 'a.csv' }, () => undefined, stopped.signal)).rejects.toThrow()
  })
})

describe('files', () => {
  it('must be CSV or JSON within the size limit', () => {
    expect(fileProblem({ name: 'A.CSV', size: 1 })).toBeNull()
    expect(fileProblem({ name: 'a.json', size: mostBytes })).toBeNull()
    expect(fileProblem({ name: 'a.json', size: mostBytes + 1 })).toContain('too large')
    expect(fileProblem({ name: 'a.xlsx', size: 1 })).toContain('not a CSV or JSON file')
    expect(fileProblem({ name: 'a.csv', size: 0 })).toContain('empty')
  })
})
