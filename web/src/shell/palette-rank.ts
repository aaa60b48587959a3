/**
 * Scores how well a name matches the typed text; 0 is no match. The name must
 * contain every word. Whole words count most, then a prefix of the name, then a
 * prefix of a word.
 */
export function score(name: string, typed: string): number {
  const text = name.toLowerCase()
  const query = typed.trim().toLowerCase()
  if (query === '') return 1
  if (text === query) return 100
  let total = 0
  for (const word of query.split(/\s+/)) {
    const at = text.indexOf(word)
    if (at < 0) return 0
    total += text.split(/[^a-z0-9]+/).includes(word) ? 60 : at === 0 ? 50 : startsWord(text, word) ? 30 : 10
  }
  // Of equally good matches, the shorter name is closer to the typed text.
  return total / query.split(/\s+/).length + inOrder(text, query) + 5 / (1 + text.length)
}

/** The bonus for words in the typed order: "ticket class" means Ticket classifier, not classify-ticket. */
function inOrder(text: string, query: string): number {
  const typed = spaced(query)
  if (!typed.includes(' ')) return 0
  const name = spaced(text)
  return name.startsWith(typed) ? 30 : name.includes(typed) ? 15 : 0
}

function spaced(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ')
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '')) return true
  }
  return false
}

interface Ranked {
  group: string
  name: string
  /** Other words that find it. */
  words?: string
  /** Whether the server found it, possibly by content rather than by name. */
  found?: boolean
}

/** The group of items found only by content. It comes last. */
const inText = 'Found in content'

/** Sorts matches into groups: the best group first, and the best items of each group first. */
export function rank<Item extends Ranked>(items: Item[], typed: string, perGroup: number): { group: string; items: Item[] }[] {
  const groups = new Map<string, { item: Item; score: number }[]>()
  for (const item of items) {
    const byName = Math.max(score(item.name, typed), item.words ? score(item.words, typed) * 0.6 : 0)
    if (byName === 0 && !item.found) continue
    const group = byName > 0 ? item.group : inText
    groups.set(group, [...(groups.get(group) ?? []), { item, score: byName }])
  }
  const best = [...groups].map(([group, scored]) => ({ group, scored: typed.trim() === '' ? scored : scored.sort((a, b) => b.score - a.score) }))
  if (typed.trim() !== '') best.sort((a, b) => (b.scored[0]?.score ?? 0) - (a.scored[0]?.score ?? 0))
  return best.map(({ group, scored }) => ({ group, items: scored.slice(0, perGroup).map(({ item }) => item) }))
}

/** The request ID, if the typed text is one. */
export function requestNumber(typed: string): number | null {
  const match = /^#?(\d{1,15})$/.exec(typed.trim())
  const number = Number(match?.[1])
  return match && number > 0 ? number : null
}
