/**
 * Parses the subset of Markdown that instructions use. Unknown syntax is kept as
 * text, so that nothing is lost.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'struck'; children: Inline[] }
  | { kind: 'link'; target: string; children: Inline[] }
  | { kind: 'image'; alt: string; target: string }

export type Block =
  | { kind: 'heading'; level: number; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; start: number | null; items: Item[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }
  | { kind: 'properties'; entries: { name: string; value: string }[] }

export interface Item {
  checked: boolean | null
  children: Block[]
}

export function parseMarkdown(source: string): Block[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const front = readFront(lines)
  return front === null ? readBlocks(lines) : [front.block, ...readBlocks(lines.slice(front.length))]
}

/** The front matter between two lines of dashes at the start. */
function readFront(lines: string[]): { block: Block; length: number } | null {
  if (lines[0]?.trimEnd() !== '---') return null
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return null
  const entries: { name: string; value: string }[] = []
  for (const line of lines.slice(1, end)) {
    const found = /^([\w.-]+):\s*(.*)$/.exec(line)
    const last = entries.at(-1)
    if (found) entries.push({ name: found[1] ?? '', value: (found[2] ?? '').replace(/^(["'])(.*)\1$/, '$2') })
    else if (last !== undefined && line.trim() !== '') last.value = [last.value, line.trim()].filter((part) => part !== '' && !/^[|>]-?$/.test(part)).join(' ')
  }
  return { block: { kind: 'properties', entries }, length: end + 1 }
}

const fence = /^(\s*)(```+|~~~+)\s*(\S*)/
const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/
const marker = /^(\s*)([-*+]|\d{1,9}[.)])(\s+|$)(.*)$/
const rule = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

function readBlocks(lines: string[]): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const reader = line.trim() === '' ? null : (readers.find(({ begins }) => begins(line, lines[at + 1] ?? '')) ?? paragraph)
    if (reader === null) {
      at++
      continue
    }
    const { block, next } = reader.read(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

interface Reader {
  begins: (line: string, following: string) => boolean
  read: (lines: string[], at: number) => { block: Block; next: number }
}

const readers: Reader[] = [
  { begins: (line) => fence.test(line), read: readCode },
  {
    begins: (line) => heading.test(line),
    read: (lines, at) => {
      const found = heading.exec(lines[at] ?? '')
      return { block: { kind: 'heading', level: found?.[1]?.length ?? 1, content: parseInline(found?.[2] ?? '') }, next: at + 1 }
    },
  },
  { begins: (line) => rule.test(line), read: (_, at) => ({ block: { kind: 'rule' }, next: at + 1 }) },
  { begins: (line) => line.trimStart().startsWith('>'), read: readQuote },
  { begins: (line) => marker.test(line), read: readList },
  { begins: (line, following) => line.includes('|') && following.includes('-') && tableRule.test(following), read: readTable },
]

const paragraph: Reader = {
  begins: () => true,
  read: (lines, at) => {
    let next = at + 1
    while (next < lines.length && !interrupts(lines[next] ?? '', lines[next + 1] ?? '')) next++
    return { block: { kind: 'paragraph', content: parseInline(lines.slice(at, next).map((line) => line.trim()).join('\n')) }, next }
  },
}

function interrupts(line: string, following: string): boolean {
  return line.trim() === '' || readers.some(({ begins }) => begins(line, following))
}

function readCode(lines: string[], at: number): { block: Block; next: number } {
  const [, indent = '', ticks = '```', language = ''] = fence.exec(lines[at] ?? '') ?? []
  let end = at + 1
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(ticks)) end++
  const text = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
  return { block: { kind: 'code', language, text: text.join('\n') }, next: end + 1 }
}

function readQuote(lines: string[], at: number): { block: Block; next: number } {
  let end = at
  while (end < lines.length && (lines[end] ?? '').trimStart().startsWith('>')) end++
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*> ?/, ''))
  return { block: { kind: 'quote', children: readBlocks(inner) }, next: end }
}

/** A list, with the lines below each item that are indented as far as its text. */
function readList(lines: string[], at: number): { block: Block; next: number } {
  const first = marker.exec(lines[at] ?? '')
  const indent = first?.[1]?.length ?? 0
  const ordered = /\d/.test(first?.[2] ?? '')
  const items: Item[] = []
  let next = at
  while (next < lines.length) {
    const found = marker.exec(lines[next] ?? '')
    if (found === null || (found[1]?.length ?? 0) !== indent || /\d/.test(found[2] ?? '') !== ordered || rule.test(lines[next] ?? '')) break
    const width = indent + (found[2]?.length ?? 1) + 1
    const inner = [found[4] ?? '']
    next++
    while (next < lines.length && belongs(lines, next, indent)) inner.push(dedent(lines[next++] ?? '', width))
    items.push(readItem(inner))
    while (lines[next]?.trim() === '') next++
  }
  return { block: { kind: 'list', start: ordered ? parseInt(first?.[2] ?? '1', 10) : null, items }, next }
}

function belongs(lines: string[], at: number, indent: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '') return indentOf(lines[at + 1] ?? '') > indent && (lines[at + 1] ?? '').trim() !== ''
  if (indentOf(line) > indent) return true
  // A continuation line of the item's paragraph.
  return (lines[at - 1] ?? '').trim() !== '' && !interrupts(line, lines[at + 1] ?? '')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function dedent(line: string, width: number): string {
  return line.slice(Math.min(width, indentOf(line)))
}

function readItem(lines: string[]): Item {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(lines[0] ?? '')
  if (task === null) return { checked: null, children: readBlocks(lines) }
  return { checked: task[1] !== ' ', children: readBlocks([task[2] ?? '', ...lines.slice(1)]) }
}

function readTable(lines: string[], at: number): { block: Block; next: number } {
  let end = at + 2
  while (end < lines.length && (lines[end] ?? '').includes('|')) end++
  return { block: { kind: 'table', head: readRow(lines[at] ?? ''), rows: lines.slice(at + 2, end).map(readRow) }, next: end }
}

function readRow(line: string): Inline[][] {
  const cells = line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '').split(/(?<!\\)\|/)
  return cells.map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')))
}

// All quantifiers are bounded, so that no text makes this slow.
const span = new RegExp([
  /(`{1,3})([\s\S]{0,500}?[^`])\1(?!`)/,
  /!\[([^\]]{0,500})\]\(([^()\s]{0,500})(?:\s+"[^"]{0,500}")?\)/,
  /\[([^\]]{1,500})\]\(([^()\s]{0,500})(?:\s+"[^"]{0,500}")?\)/,
  /\*\*([^\s*][\s\S]{0,500}?)\*\*/,
  /__([^\s_][\s\S]{0,500}?)__/,
  /~~([^\s~][\s\S]{0,500}?)~~/,
  /\*(?!\s)([^*]{1,500}?)\*/,
  /(?<![\w])_(?!\s)([^_]{1,500}?)_(?![\w])/,
  /(https?:\/\/[^\s<>()]{0,500}[^\s<>().,;:!?'"])/,
].map(({ source }) => source).join('|'), 'g')
const longestText = 20_000

export function parseInline(source: string): Inline[] {
  if (source.length > longestText) return [{ kind: 'text', text: source }]
  const found: Inline[] = []
  let at = 0
  for (const match of source.matchAll(span)) {
    if (match.index > at) found.push({ kind: 'text', text: source.slice(at, match.index) })
    found.push(readSpan(match))
    at = match.index + match[0].length
  }
  if (at < source.length) found.push({ kind: 'text', text: source.slice(at) })
  return found
}

function readSpan([whole, , code, alt, image, words, target, strong, strongToo, struck, emphasis, emphasisToo, address]: RegExpMatchArray): Inline {
  if (code !== undefined) return { kind: 'code', text: code.trim() }
  if (image !== undefined) return { kind: 'image', alt: alt ?? '', target: image }
  if (target !== undefined) return { kind: 'link', target, children: parseInline(words ?? '') }
  if (address !== undefined) return { kind: 'link', target: address, children: [{ kind: 'text', text: address }] }
  const bold = strong ?? strongToo
  if (bold !== undefined) return { kind: 'strong', children: parseInline(bold) }
  if (struck !== undefined) return { kind: 'struck', children: parseInline(struck) }
  const leaning = emphasis ?? emphasisToo
  return leaning === undefined ? { kind: 'text', text: whole } : { kind: 'emphasis', children: parseInline(leaning) }
}
