import { at, type Tree } from './tree'

/** What the search looks at. */
interface Searchable {
  name: string
  span_id: string
  status: { description?: string | null }
  attributes: Record<string, unknown>
  events: Record<string, unknown>[]
}

/** The text of a span in which words are searched. */
export function textOf(span: Searchable): string {
  return [span.name, span.span_id, span.status.description ?? '', valuesOf([span.attributes, span.events])].join('\n').toLowerCase()
}

/** The keys and values of a JSON value as one text. */
function valuesOf(value: unknown): string {
  const parts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) parts.push(String(next))
    else if (Array.isArray(next)) for (const member of next as unknown[]) open.push(member)
    else for (const [key, member] of Object.entries(next)) open.push(member, key)
  }
  return parts.join('\n')
}

/**
 * The spans that contain all words, from top to bottom: in the name, the id, the
 * error, the attributes or the events. Of spans without a text, only the name and
 * the id are known.
 */
export function findSpans(spans: readonly { name: string; span_id: string }[], tree: Tree, texts: ReadonlyMap<string, string>, query: string): number[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  return [...tree.order].filter((index) => {
    const span = spans[index]
    if (span === undefined) return false
    const text = texts.get(span.span_id) ?? `${span.name}\n${span.span_id}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The match after or before a span, starting again at the other end; undefined without matches. */
export function nextMatch(matches: readonly number[], tree: Tree, current: number, by: 1 | -1): number | undefined {
  if (matches.length === 0) return undefined
  const place = current < 0 ? -1 : at(tree.place, current)
  if (by === 1) return matches.find((index) => at(tree.place, index) > place) ?? matches[0]
  return matches.findLast((index) => at(tree.place, index) < place) ?? matches.at(-1)
}
