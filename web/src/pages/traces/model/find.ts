import { at, type Tree } from './tree'

/** What the search looks at. */
export interface Searchable {
  name: string
  span_id: string
  status: { description?: string | null }
  attributes: Record<string, unknown>
  events: Record<string, unknown>[]
}

/** The texts of spans are made when first searched, once for each span. */
const texts = new WeakMap<Searchable, string>()

function textOf(span: Searchable): string {
  const known = texts.get(span)
  if (known !== undefined) return known
  const text = [span.name, span.span_id, span.status.description ?? '', valuesOf([span.attributes, span.events])].join('\n').toLowerCase()
  texts.set(span, text)
  return text
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
 * error, the attributes or the events.
 */
export function findSpans(spans: readonly Searchable[], tree: Tree, query: string): number[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  return [...tree.order].filter((index) => {
    const span = spans[index]
    return span !== undefined && words.every((word) => textOf(span).includes(word))
  })
}

/** The match after or before a span, starting again at the other end; undefined without matches. */
export function nextMatch(matches: readonly number[], tree: Tree, current: number, by: 1 | -1): number | undefined {
  if (matches.length === 0) return undefined
  const place = current < 0 ? -1 : at(tree.place, current)
  if (by === 1) return matches.find((index) => at(tree.place, index) > place) ?? matches[0]
  return matches.findLast((index) => at(tree.place, index) < place) ?? matches.at(-1)
}
