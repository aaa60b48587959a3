import { describe, expect, it } from 'vitest'
import { readEvents, type StreamEvent } from './sse'

const encoder = new TextEncoder()

function streamOf(pieces: Uint8Array[], onCancel?: () => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[at++]
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
    cancel: onCancel,
  })
}

async function all(stream: ReadableStream<Uint8Array>): Promise<StreamEvent[]> {
  const found: StreamEvent[] = []
  for await (const event of readEvents(stream)) found.push(event)
  return found
}

const text = 'event: delta\ndata: {"text":"Grüße "}\n\n: still at work\n\nevent: done\ndata: {"request_id":1}\n\n'
const expected = [{ event: 'delta', data: '{"text":"Grüße "}' }, { event: 'done', data: '{"request_id":1}' }]

describe('readEvents', () => {
  it.each([1, 2, 3, 7, 1000])('reads a stream in chunks of %d bytes', async (size) => {
    const bytes = encoder.encode(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size))
    expect(await all(streamOf(pieces))).toEqual(expected)
  })

  it('accepts all line endings', async () => {
    expect(await all(streamOf([encoder.encode(text.replaceAll('\n', '\r\n'))]))).toEqual(expected)
    expect(await all(streamOf([encoder.encode('event: a\r'), encoder.encode('\ndata: 1\r\n\r'), encoder.encode('\n')]))).toEqual([{ event: 'a', data: '1' }])
  })

  it('joins data lines and names unnamed events', async () => {
    expect(await all(streamOf([encoder.encode('data: a\ndata:b\nid: 3\n\n')]))).toEqual([{ event: 'message', data: 'a\nb' }])
  })

  it('ignores an incomplete event', async () => {
    expect(await all(streamOf([encoder.encode('data: a\n\nevent: done\ndata: {')]))).toEqual([{ event: 'message', data: 'a' }])
  })

  it('releases the stream when the reader stops', async () => {
    let cancelled = false
    const events = readEvents(streamOf([encoder.encode('data: a\n\n'), encoder.encode('data: b\n\n')], () => { cancelled = true }))
    expect((await events.next()).value).toEqual({ event: 'message', data: 'a' })
    await events.return(undefined)
    expect(cancelled).toBe(true)
  })
})
