/** A server-sent event. */
export interface StreamEvent {
  event: string
  data: string
}

/**
 * Reads server-sent events as they arrive. Chunks may end anywhere, even within a
 * line or a character. An incomplete event at the end is ignored.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const lines = new LineCutter()
  let event = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (const line of lines.add(decoder.decode(value, { stream: true }))) {
        if (line === '') {
          if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') }
          event = ''
          data = []
          continue
        }
        const [name, text] = field(line)
        if (name === 'event') event = text
        if (name === 'data') data.push(text)
      }
    }
  } finally {
    // Release the connection when the reader stops early.
    await reader.cancel().catch(() => undefined)
  }
}

/** The name and value of a line; a comment has no name. */
function field(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon < 0) return [line, '']
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value]
}

/** Splits streamed text into lines, which end with CR, LF or both. */
class LineCutter {
  private rest = ''

  add(piece: string): string[] {
    const text = this.rest + piece
    // A CR at the end may be the first half of a line ending.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const lines = whole.split(/\r\n|\r|\n/)
    this.rest = (lines.pop() ?? '') + text.slice(whole.length)
    return lines
  }
}
