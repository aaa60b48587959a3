import { hasKeys, requests, type Field, type Vocabulary } from './fields'
import { bare } from './syntax'

/** What could be written where the caret stands. */
export type Place =
  | { kind: 'field'; from: number; prefix: string; minus: boolean }
  | { kind: 'key'; from: number; prefix: string; field: Field }
  | { kind: 'value'; from: number; prefix: string; field: Field; key?: string }

/** Something that can be chosen: it replaces the text from `from` to the caret. */
export interface Choice {
  text: string
  label: string
  note?: string
  from: number
  /** Whether the filter is complete with it. */
  complete: boolean
}

/** Finds out what is being written before the caret. */
export function placeAt(text: string, caret: number, vocabulary: Vocabulary = requests): Place {
  const start = wordStart(text, caret)
  const minus = text[start] === '-'
  const from = start + (minus ? 1 : 0)
  const word = text.slice(from, caret)
  const head = /^([\p{L}_][\p{L}\p{N}_-]*)(?:\.("(?:[^"\\]|\\.)*"|[^\s"():=<>~^$!,]+))?(?:\^=|\$=|!=|>=|<=|[:=<>~])/u.exec(word)
  const field = head === null ? undefined : vocabulary.find(head[1] ?? '', head[2] !== undefined)
  if (head !== null && field !== undefined) {
    const key = head[2]?.replace(/^"|"$/g, '')
    const values = word.slice(head[0].length)
    const last = lastValueStart(values)
    const prefix = values.slice(last).replace(/^"/, '').replace(/\\(.)/g, '$1')
    return { kind: 'value', from: from + head[0].length + last, prefix, field, ...(key === undefined ? {} : { key }) }
  }
  const dot = word.indexOf('.')
  const owner = dot < 0 ? undefined : vocabulary.find(word.slice(0, dot), true)
  if (owner !== undefined && hasKeys(owner)) return { kind: 'key', from: from + dot + 1, prefix: word.slice(dot + 1).replace(/^"/, ''), field: owner }
  return { kind: 'field', from, prefix: word, minus }
}

function wordStart(text: string, caret: number): number {
  let start = 0
  let quoted = false
  for (let at = 0; at < caret; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') quoted = !quoted
    else if (!quoted && /[\s()]/.test(text[at] ?? '')) start = at + 1
  }
  return start
}

function lastValueStart(values: string): number {
  let start = 0
  let quoted = false
  for (let at = 0; at < values.length; at++) {
    if (values[at] === '\\') at++
    else if (values[at] === '"') quoted = !quoted
    else if (!quoted && values[at] === ',') start = at + 1
    else if (!quoted && values.startsWith('..', at)) start = at + 2
  }
  return start
}

/** The fields that fit what is typed; once a name is complete, the ways to compare it. */
export function fieldChoices(place: Place & { kind: 'field' }, { fields }: Vocabulary = requests): Choice[] {
  const prefix = place.prefix.toLowerCase()
  const exact = fields.find((field) => field.name === prefix && !hasKeys(field))
  const ranked = fields.filter((field) => field !== exact && field.name.startsWith(prefix))
  const named = prefix.length < 2 ? [] : fields.filter((field) => field !== exact && !ranked.includes(field) && field.description.toLowerCase().includes(prefix))
  return [...(exact === undefined ? [] : comparisons(exact, place)), ...[...ranked, ...named].map((field) => fieldChoice(field, place.from))]
}

const endings: Partial<Record<Field['type'], string>> = { nested: '.', score: '.', numeric: '>', datetime: '>' }

function fieldChoice(field: Field, from: number): Choice {
  const ending = endings[field.type] ?? ':'
  return { text: field.name + ending, label: field.name + (hasKeys(field) ? '.KEY' : ''), note: field.description, from, complete: false }
}

const ways: Partial<Record<Field['type'], [string, string][]>> = {
  numeric: [['>', 'greater than'], ['<', 'less than'], ['>=', 'at least'], ['<=', 'at most'], [':', 'equal, or a range such as 1..5']],
  datetime: [['>', 'after'], ['<', 'before'], [':', 'a range such as 2026-01-01..2026-01-31']],
  text: [[':', 'contains'], ['^=', 'starts with'], ['$=', 'ends with']],
  name: [[':', 'is'], ['~', 'contains'], ['^=', 'starts with'], ['$=', 'ends with']],
}

/** The types of fields that may have no value. */
const settable: Field['type'][] = ['identifier', 'numeric', 'array']

function comparisons(field: Field, place: Place & { kind: 'field' }): Choice[] {
  const { from } = place
  if (field.type === 'boolean') {
    return ['true', 'false'].map((value) => ({ text: `${field.name}:${value}`, label: `${field.name}:${value}`, note: field.description, from, complete: true }))
  }
  const choices: Choice[] = (ways[field.type] ?? [[':', 'is']]).map(([symbol, note]) => ({ text: field.name + symbol, label: field.name + symbol, note, from, complete: false }))
  if (!place.minus && field.type !== 'numeric' && field.type !== 'datetime') {
    choices.push({ text: `-${field.name}:`, label: `-${field.name}:`, note: field.type === 'text' ? 'does not contain' : 'is not', from, complete: false })
  }
  if (settable.includes(field.type)) choices.push({ text: `${field.name}:*`, label: `${field.name}:*`, note: 'is set', from, complete: true })
  return choices
}

/** The keys that fit. */
export function keyChoices(place: Place & { kind: 'key' }, keys: string[]): Choice[] {
  const ending = place.field.type === 'score' ? '>' : ':'
  return keys.map((key) => ({ text: (/^[\w.-]+$/.test(key) ? key : bare(key)) + ending, label: key, from: place.from, complete: false }))
}

/** The values that fit. */
export function valueChoices(place: Place & { kind: 'value' }, values: string[]): Choice[] {
  return values.map((value) => ({ text: bare(value), label: value === '' ? '(empty)' : value, from: place.from, complete: true }))
}
