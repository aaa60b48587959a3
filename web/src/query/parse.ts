import { arityOf, comparesNumbers, hasKeys, opposites, requests, type Field, type Operator, type Vocabulary } from './fields'
import { readInstant, readQuantity } from './values'
import type { Condition, FreeText, Group, QueryNode } from './syntax'

/** A syntax error in a query, with its position. */
export class QueryError extends Error {
  constructor(message: string, readonly from: number, readonly to: number) {
    super(message)
    this.name = 'QueryError'
  }
}

/** A top-level node of a query with the position of its text. */
interface Placed {
  node: QueryNode
  from: number
  to: number
}

/** Parses a query, or throws a QueryError. */
export function parse(text: string, vocabulary: Vocabulary = requests): Group {
  return new Parser(text, vocabulary).whole().root
}

/** The top-level nodes with their positions, for pills. A query that is one OR is a single node. */
export function parsePlaced(text: string, vocabulary: Vocabulary = requests): Placed[] {
  return new Parser(text, vocabulary).whole().placed
}

/** Returns the error in the text, or null. */
export function findError(text: string, vocabulary: Vocabulary = requests): QueryError | null {
  try {
    parse(text, vocabulary)
    return null
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}

const maxDepth = 18

class Parser {
  private at = 0
  private depth = 0

  constructor(private readonly text: string, private readonly vocabulary: Vocabulary) {}

  whole(): { root: Group; placed: Placed[] } {
    const found = this.parts()
    // The server searches for text in all of a trace, so it cannot be an alternative.
    const mixed = this.vocabulary.texts.length === 0 && found.root.nodes.some((node) => node.kind === 'group' && holds(node, ({ kind }) => kind === 'text'))
    if (mixed) this.fail('Text cannot be part of OR or parentheses here', 0, this.text.length)
    return found
  }

  private parts(): { root: Group; placed: Placed[] } {
    const branches = this.branches()
    if (this.at < this.text.length) this.fail('This closing parenthesis has no opening one', this.at, this.at + 1)
    const only = branches.length === 1 ? branches[0] : undefined
    if (only !== undefined) return { root: { kind: 'group', logic: 'AND', nodes: only.map(({ node }) => node) }, placed: only }
    const node = either(branches)
    const from = branches[0]?.[0]?.from ?? 0
    const to = branches.at(-1)?.at(-1)?.to ?? this.text.length
    return { root: { kind: 'group', logic: 'AND', nodes: [node] }, placed: [{ node, from, to }] }
  }

  /** Parses up to a closing parenthesis or the end: the branches between the ORs. */
  private branches(): Placed[][] {
    const branches: Placed[][] = [[]]
    for (;;) {
      this.skipSpace()
      if (this.at >= this.text.length || this.text[this.at] === ')') break
      const from = this.at
      const word = this.keyword()
      if (word === 'OR') {
        if (branches.at(-1)?.length === 0) this.fail('OR needs a filter before it', from, from + 2)
        branches.push([])
      } else if (word === null) {
        const node = this.unary()
        branches.at(-1)?.push({ node, from, to: this.at })
      }
    }
    if (branches.length > 1 && branches.at(-1)?.length === 0) this.fail('OR needs a filter after it', this.at, this.at)
    return branches
  }

  private keyword(): 'AND' | 'OR' | null {
    const match = /^(AND|OR)(?=[\s()]|$)/.exec(this.text.slice(this.at))
    if (match === null) return null
    this.at += match[0].length
    return match[1] as 'AND' | 'OR'
  }

  private unary(): QueryNode {
    const from = this.at
    const negated = this.text[from] === '-' && /\S/.test(this.text[from + 1] ?? ' ')
    if (negated) this.at++
    const node = this.text[this.at] === '(' ? this.bracket() : (this.spanGroup() ?? this.term())
    return negated ? this.negate(node, from) : node
  }

  /** A group about one and the same span: span(…). */
  private spanGroup(): Group | null {
    if (!this.vocabulary.spans || !this.text.startsWith('span(', this.at)) return null
    const from = this.at
    this.at += 4
    const group = this.bracket()
    const other = holds(group, (node) => node.kind === 'text' || (node.kind === 'condition' && node.field.level !== 'span'))
    if (other) this.fail('Only fields of spans can stand in span(…)', from, this.at)
    return { ...group, span: true }
  }

  private bracket(): Group {
    const from = this.at++
    if (++this.depth > maxDepth) this.fail('Parentheses are nested too deeply', from, from + 1)
    const branches = this.branches()
    if (this.text[this.at] !== ')') this.fail('This parenthesis is not closed', from, from + 1)
    this.at++
    this.depth--
    const only = branches.length === 1 ? branches[0] : undefined
    if (only === undefined) return either(branches)
    if (only.length === 0) this.fail('These parentheses are empty', from, this.at)
    return { kind: 'group', logic: 'AND', nodes: only.map(({ node }) => node) }
  }

  /** A filter or free text. */
  private term(): QueryNode {
    const from = this.at
    if (this.text[from] === '"') return this.freeText(this.quoted(), true)
    const head = /^([\p{L}_][\p{L}\p{N}_-]*)((?:\.(?:"(?:[^"\\]|\\.)*"|[^\s"():=<>~^$!,]+))?)(\^=|\$=|!=|>=|<=|[:=<>~])/u.exec(this.text.slice(from))
    if (head === null) return this.freeText(this.word(), false)
    const [all, name = '', path = '', symbol = ''] = head
    const key = path === '' ? undefined : unquote(path.slice(1))
    const field = this.vocabulary.find(name, key !== undefined)
    if (field === undefined) this.fail(unknownField(name, this.vocabulary), from, from + name.length)
    if (hasKeys(field) && key === undefined) this.fail(`Add a key: ${field.name}.KEY${symbol}…`, from, from + name.length)
    if (!hasKeys(field) && key !== undefined) this.fail(`${field.name} has no keys`, from, from + name.length + path.length)
    this.at += all.length
    return this.condition(field, key, symbol, from)
  }

  private freeText(text: string, exact: boolean): FreeText {
    return { kind: 'text', text, exact, negated: false }
  }

  private condition(field: Field, key: string | undefined, symbol: string, from: number): Condition {
    const valuesFrom = this.at
    const { values, range, star, list } = this.values()
    const operator = operatorFor(field, symbol, { range, star, list, value: values[0] ?? '' })
    if (operator === null) this.fail(`${field.name} cannot be compared with ${symbol}${star ? '*' : range ? '…..…' : ''}`, from, this.at)
    const arity = arityOf(field, operator)
    if (arity !== 'none' && values.length === 0) this.fail('Enter a value here', this.at, this.at)
    if (arity === 'one' && values.length > 1) this.fail(`${field.name} takes only one value here`, valuesFrom, this.at)
    const problem = arity === 'none' ? null : valueProblem(field, operator, values)
    if (problem !== null) this.fail(problem, valuesFrom, this.at)
    return { kind: 'condition', field, operator, ...(key === undefined ? {} : { key }), values: arity === 'none' ? [] : values }
  }

  private values() {
    const values: string[] = []
    let [range, star, list] = [false, false, false]
    for (;;) {
      const quoted = this.text[this.at] === '"'
      const value = quoted ? this.quoted() : this.bareValue()
      if (!quoted && value === '*') star = true
      else if (quoted || value !== '') values.push(value)
      if (this.text.startsWith('..', this.at)) {
        range = true
        this.at += 2
      } else if (this.text[this.at] === ',') {
        list = true
        this.at++
      } else break
    }
    return { values, range, star, list }
  }

  private bareValue(): string {
    const match = /^(?:(?!\.\.)[^\s"(),])*/.exec(this.text.slice(this.at))
    this.at += match?.[0].length ?? 0
    return match?.[0] ?? ''
  }

  private word(): string {
    const match = /^[^\s"()]+/.exec(this.text.slice(this.at))
    this.at += match?.[0].length ?? 1
    return match?.[0] ?? ''
  }

  private quoted(): string {
    const match = /^"(?:[^"\\]|\\.)*"/.exec(this.text.slice(this.at))
    if (match === null) this.fail('This quotation mark is not closed', this.at, this.text.length)
    this.at += match[0].length
    return unquote(match[0])
  }

  private skipSpace() {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  /** The node that matches exactly where the given one does not. */
  private negate(node: QueryNode, from: number): QueryNode {
    if (node.kind === 'text') {
      if (this.vocabulary.texts.length === 0) this.fail('Text cannot be excluded here', from, this.at)
      return { ...node, negated: !node.negated }
    }
    if (node.kind === 'group') {
      if (node.span) this.fail('A group about one span cannot be negated', from, this.at)
      return { kind: 'group', logic: node.logic === 'AND' ? 'OR' : 'AND', nodes: node.nodes.map((inner) => this.negate(inner, from)) }
    }
    const operator = opposites[node.operator]
    if (operator === undefined) this.fail(`A filter with “${node.operator.replace('_', ' ')}” cannot be negated`, from, this.at)
    return { ...node, operator }
  }

  private fail(message: string, from: number, to: number): never {
    throw new QueryError(message, from, Math.max(to, from))
  }
}

function either(branches: Placed[][]): Group {
  return {
    kind: 'group',
    logic: 'OR',
    nodes: branches.map((branch) => {
      const only = branch.length === 1 ? branch[0] : undefined
      return only?.node ?? { kind: 'group', logic: 'AND', nodes: branch.map(({ node }) => node) }
    }),
  }
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text
}

const symbolOperators: Record<string, Operator[]> = {
  ':': ['is', 'contains', 'eq', 'key_equals'],
  '=': ['is', 'eq', 'key_equals', 'contains'],
  '!=': ['is_not', 'neq', 'key_not_equals', 'not_contains'],
  '>': ['gt', 'after'],
  '>=': ['gte'],
  '<': ['lt', 'before'],
  '<=': ['lte'],
  '~': ['key_contains', 'contains'],
  '^=': ['starts_with'],
  '$=': ['ends_with'],
}

function operatorFor(field: Field, symbol: string, seen: { range: boolean; star: boolean; list: boolean; value: string }): Operator | null {
  const takes = (operator: Operator) => arityOf(field, operator) !== undefined
  const plain = symbol === ':' || symbol === '='
  if (field.type === 'boolean') {
    if (!plain && symbol !== '!=') return null
    const yes = /^(true|yes|1)$/i.test(seen.value) || seen.star
    if (!yes && !/^(false|no|0)$/i.test(seen.value)) return null
    return yes === plain ? 'is_true' : 'is_false'
  }
  if (seen.star && plain) return takes('is_not_null') ? 'is_not_null' : takes('is_not_empty') ? 'is_not_empty' : null
  if (seen.range) return plain && takes('between') ? 'between' : null
  if (seen.list && plain) return takes('in') ? 'in' : null
  if (seen.list && symbol === '!=') return takes('not_in') ? 'not_in' : null
  return symbolOperators[symbol]?.find(takes) ?? null
}

function valueProblem(field: Field, operator: Operator, values: string[]): string | null {
  for (const value of values) {
    if (comparesNumbers(field, operator) && readQuantity(field, value) === null) return `${field.name} needs a number, not “${value}”`
    if (field.type === 'datetime' && readInstant(value) === null) return `${field.name} needs a time such as 2026-01-31T14:00, not “${value}”`
    if (field.api === 'pl_id' && !/^\d+$/.test(value)) return `${field.name} needs a number, not “${value}”`
    if (field.type === 'intent' && field.values?.includes(value.toLowerCase()) === false) return `${field.name} is one of ${field.values.join(', ')}`
    if (field.type === 'text' && value === '') return 'Enter a value here'
  }
  if (operator !== 'between') return null
  if (values.length !== 2) return 'A range needs two values, such as 10..20'
  const read = field.type === 'datetime' ? readInstant : (value: string) => readQuantity(field, value)
  const [low, high] = [read(values[0] ?? ''), read(values[1] ?? '')]
  return low !== null && high !== null && low > high ? 'The end of the range is before its start' : null
}

/** Reports whether a part of the node, at any depth, passes the test. */
function holds(node: QueryNode, test: (node: QueryNode) => boolean): boolean {
  return test(node) || (node.kind === 'group' && node.nodes.some((inner) => holds(inner, test)))
}

function unknownField(name: string, vocabulary: Vocabulary): string {
  const near = vocabulary.fields.find((field) => field.name.startsWith(name.toLowerCase().slice(0, 3)))
  return `Unknown field “${name}”${near ? `. Did you mean ${near.name}?` : '. To search for it as text, put it in quotation marks.'}`
}
