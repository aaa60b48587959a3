import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseTrace } from './parse'

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size))
}

const span = (id: number, attributes: unknown = {}) => ({ id, name: `step ${id}`, attributes, request_log_id: null })
const trace = (spans: unknown[], more = {}) => ({ success: true, trace_id: 'a', spans, total: spans.length, ...more })

afterEach(() => vi.restoreAllMocks())

describe('the JSON of a trace', () => {
  it.each([
    ['no spans', trace([])],
    ['one span', trace([span(1)])],
    ['many spans', trace(Array.from({ length: 20 }, (_, index) => span(index)))],
    ['attributes with lists of objects', trace([span(1, { list: [{ id: 1 }, { id: 2 }] }), span(2, [{ id: 1 }, { id: 2 }]), span(3)])],
    ['texts that look like JSON', trace([span(1, { text: '},{"id":3,"spans":[' }), span(2, '"spans":[{"id":1},{"id":2}]'), span(3)])],
    ['objects after the spans', trace([span(1), span(2)], { more: [{ id: 1 }, { id: 2 }], spans_of: { spans: [{ id: 1 }, { id: 2 }] } })],
    ['lists before the spans', { more: [{ id: 1 }, { id: 2 }], ...trace([span(1), span(2)]) }],
  ])('is read whatever its pieces are: %s', async (_, value) => {
    const text = JSON.stringify(value)
    for (let size = 1; size <= text.length; size++) for (const least of [1, 40, 1000]) expect(await parseTrace(inPieces(text, size), least)).toEqual(value)
  })

  it('is parsed before its end has arrived', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const text = JSON.stringify(trace(Array.from({ length: 1000 }, (_, index) => span(index))))
    await parseTrace(inPieces(text, 100), 5000)
    const lengths = parse.mock.calls.map(([part]) => part.length)
    expect(Math.max(...lengths)).toBeLessThan(5200)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(text.length * 1.1)
  })

  it('is parsed few times if it cannot be split', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const text = JSON.stringify(trace([span(1, Array.from({ length: 5000 }, (_, id) => ({ id })))]))
    await parseTrace(inPieces(text, 100), 100)
    expect(parse.mock.calls.length).toBeLessThan(12)
  })

  it('is an error if it is not complete', async () => {
    await expect(parseTrace(inPieces('{"spans":[{"id":1},{"id":2}', 3), 5)).rejects.toThrow(SyntaxError)
  })
})
