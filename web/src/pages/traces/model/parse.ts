/** What is before the spans of a trace in its JSON, and between two of them. */
const start = '"spans":['
const border = '},{"id":'

/** The text to wait for before parsing, in characters. */
const enough = 1 << 19

/**
 * Parses the JSON of a trace while it arrives, because parsing a large trace takes
 * as long as loading it. What cannot be parsed earlier is parsed at the end.
 */
export async function parseTrace<Trace extends { spans: unknown[] }>(texts: AsyncIterable<string>, least = enough): Promise<Trace> {
  const spans: unknown[] = []
  // The text up to the first span, and the text after it that is not parsed yet.
  let head = ''
  let rest = ''
  let wanted = least
  for await (const text of texts) {
    rest += text
    if (rest.length < wanted) continue
    if (head === '') {
      head = rest.slice(0, endOf(start, rest))
      rest = rest.slice(head.length)
    }
    const parsed = head === '' ? undefined : parseSpans(rest)
    if (parsed !== undefined) {
      for (const span of parsed.spans) spans.push(span)
      rest = parsed.rest
    }
    // After a failure, wait for twice the text: failures must not take longer than the rest.
    wanted = parsed === undefined ? 2 * rest.length : least
  }
  const trace = JSON.parse(head + rest) as Trace
  for (const span of trace.spans) spans.push(span)
  return { ...trace, spans }
}

/** The position after the first occurrence; 0 if there is none. */
function endOf(part: string, text: string): number {
  const at = text.indexOf(part)
  return at < 0 ? 0 : at + part.length
}

/**
 * Parses the whole spans at the start of a text. Attributes may contain what looks
 * like a border; what is before it is no valid JSON, and the result is undefined.
 */
function parseSpans(text: string): { spans: unknown[]; rest: string } | undefined {
  const end = text.lastIndexOf(border) + 1
  if (end === 0) return undefined
  try {
    return { spans: JSON.parse(`[${text.slice(0, end)}]`) as unknown[], rest: text.slice(end + 1) }
  } catch {
    return undefined
  }
}
