import { arityOf, comparesNumbers, operatorsOf, requests, traces, type FieldName, type Operator, type TraceFieldName, type Vocabulary } from './fields'
import { findError, parse, type QueryError } from './parse'
import { print, printNode, type Condition, type Group, type QueryNode } from './syntax'
import { readInstant, readQuantity } from './values'

/** The query of a page, as stored in its URL. */
export interface QueryState {
  /** The query as typed. */
  q?: string
  /** A range that ends now, such as 24h, a period of the calendar, such as today, or `all`. Without it, `from` and `to`, the default applies. */
  range?: string
  /** The ends of a fixed range, in ISO format. */
  from?: string
  to?: string
  /** Whether requests of the playground and of evaluations are left out. */
  sources?: Sources
}

/** Which requests count: those of production, or all. */
export type Sources = 'production' | 'all'

/** The sources that are not production. */
const testSources = ['playground', 'evaluation']

export const defaultRange = '7d'

interface TimeSpan {
  /** In ms since 1970; null is unbounded. */
  from: number | null
  to: number | null
}

/** The time range of the state. A range that ends now has no upper bound, so that new requests are included. */
export function timeSpan({ range, from, to }: QueryState, now = Date.now()): TimeSpan {
  const [low, high] = [from, to].map((text) => (text === undefined ? null : readInstant(text)))
  if (low != null || high != null) return { from: low ?? null, to: high ?? null }
  const name = range ?? defaultRange
  if (name === 'all') return { from: null, to: null }
  const period = calendarPeriod(name)
  if (period !== null) return { from: startOf(period.unit, period.ago, now), to: period.ago === 0 ? null : startOf(period.unit, period.ago - 1, now) - 1 }
  const length = rangeLength(name) ?? rangeLength(defaultRange) ?? 0
  return { from: now - length, to: null }
}

/** The period before that of the state: as long, or as much of it as has passed of the current day, week or month. Null if the range has no start. */
export function spanBefore(state: QueryState, now = Date.now()): { from: number; to: number } | null {
  const { from, to } = timeSpan(state, now)
  if (from === null) return null
  const period = state.from === undefined && state.to === undefined ? calendarPeriod(state.range ?? defaultRange) : null
  if (period === null) return { from: 2 * from - (to ?? now), to: from - 1 }
  const start = startOf(period.unit, period.ago + 1, now)
  return { from: start, to: to === null ? Math.min(start + now - from, from - 1) : from - 1 }
}

const calendarUnits = { today: 'day', week: 'week', month: 'month', yesterday: 'day', 'last-week': 'week', 'last-month': 'month' } as const
type CalendarUnit = (typeof calendarUnits)[keyof typeof calendarUnits]

/** A day, week or month of the calendar, and how many of them ago it is, or null for other ranges. */
function calendarPeriod(range: string): { unit: CalendarUnit; ago: number } | null {
  if (!Object.hasOwn(calendarUnits, range)) return null
  return { unit: calendarUnits[range as keyof typeof calendarUnits], ago: ['today', 'week', 'month'].includes(range) ? 0 : 1 }
}

/** The start of a day, week or month in the user's time zone, in ms since 1970. Weeks begin on Monday. */
function startOf(unit: CalendarUnit, ago: number, now: number): number {
  const date = new Date(now)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  if (unit === 'month') return new Date(year, month - ago, 1).getTime()
  // Not a multiple of 24 hours: days are shorter or longer when clocks change.
  return new Date(year, month, unit === 'day' ? day - ago : day - ((date.getDay() + 6) % 7) - 7 * ago).getTime()
}

/** The length of a range such as 45m, 24h or 7d in ms, or null if it is invalid. */
function rangeLength(range: string): number | null {
  const match = /^(\d{1,4})([mhd])$/.exec(range)
  if (match === null) return null
  return Number(match[1]) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] as 'm' | 'h' | 'd']
}

interface ApiCondition<Name = FieldName | TraceFieldName> {
  field: Name
  operator: Operator
  value?: string | number | (string | number)[]
  nested_key?: string
}

interface ApiGroup<Name = FieldName | TraceFieldName, Logic = 'AND' | 'OR' | 'SPAN_AND' | 'SPAN_OR'> {
  logic: Logic
  filters: (ApiCondition<Name> | ApiGroup<Name, Logic>)[]
}

interface Body<Group> {
  q?: string
  filter_group?: Group
}

/** The parameters of search, analytics and charts of requests. */
export type RequestBody = Body<ApiGroup<FieldName, 'AND' | 'OR'>>

/** The parameters of search and charts of traces. */
export type TraceBody = Body<ApiGroup<TraceFieldName>>

/**
 * Converts the state to the API's format. Throws a QueryError when the text
 * cannot be parsed: call it where errors are shown, such as in a queryFn.
 */
export function requestBody(state: QueryState, now = Date.now()): RequestBody {
  // The vocabulary has no other fields, and no groups about spans.
  return body(state, now, requests) as RequestBody
}

/** The same for traces. */
export function traceBody(state: QueryState, now = Date.now()): TraceBody {
  return body(state, now, traces) as TraceBody
}

function body(state: QueryState, now: number, vocabulary: Vocabulary): Body<ApiGroup> {
  const { q, filters } = treeBody(parse(state.q ?? '', vocabulary), vocabulary)
  const all = [...timeFilters(vocabulary.time, timeSpan(state, now)), ...(leavesOutTests(state, vocabulary) ? [withoutTests] : []), ...filters]
  return { ...(q === '' ? {} : { q }), ...(all.length === 0 ? {} : { filter_group: { logic: 'AND', filters: all } }) }
}

const withoutTests: ApiCondition = { field: 'source', operator: 'not_in', value: testSources }

/** Whether the state leaves out tests. A query that says which sources it is about is not narrowed further. */
function leavesOutTests({ sources, q = '' }: QueryState, vocabulary: Vocabulary): boolean {
  return sources === 'production' && vocabulary === requests && !namesSource(parse(q, vocabulary))
}

/** Whether the query itself says which sources it is about. */
export function choosesSources({ q = '' }: QueryState): boolean {
  return findError(q, requests) === null && namesSource(parse(q, requests))
}

function namesSource(node: QueryNode): boolean {
  if (node.kind === 'group') return node.nodes.some(namesSource)
  return node.kind === 'condition' && node.field.api === 'source'
}

/** Returns the error in the query text, or null. */
export function queryError(state: QueryState, vocabulary: Vocabulary = requests): QueryError | null {
  return findError(state.q ?? '', vocabulary)
}

/** Converts a tree to the API's format: top-level free text becomes the search text, the rest become filters. */
function treeBody(root: Group, { texts }: Vocabulary): { q: string; filters: (ApiCondition | ApiGroup)[] } {
  const words: string[] = []
  const filters: (ApiCondition | ApiGroup)[] = []
  for (const node of root.nodes) {
    if (node.kind === 'text' && !node.negated) words.push(node.text)
    // Words match with typos; quoted text must also match exactly.
    if (node.kind !== 'text' || (texts.length > 0 && (node.negated || node.exact))) filters.push(apiNode(node, texts))
  }
  return { q: words.join(' '), filters }
}

function apiNode(node: QueryNode, texts: Vocabulary['texts'], ofSpan = false): ApiCondition | ApiGroup {
  if (node.kind === 'group') {
    // Groups within one about a span are about the same one.
    const span = ofSpan || node.span === true
    return { logic: `${span ? 'SPAN_' : ''}${node.logic}` as ApiGroup['logic'], filters: node.nodes.map((inner) => apiNode(inner, texts, span)) }
  }
  if (node.kind === 'condition') return apiCondition(node)
  const operator = node.negated ? 'not_contains' : 'contains'
  return {
    logic: node.negated ? 'AND' : 'OR',
    filters: texts.map((field) => ({ field, operator, value: node.text })),
  }
}

function apiCondition({ field, operator, key, values }: Condition): ApiCondition {
  const read = (text: string): string | number => {
    if (comparesNumbers(field, operator)) return readQuantity(field, text) ?? text
    if (field.type === 'datetime') return new Date(readInstant(text) ?? NaN).toISOString()
    return text
  }
  const arity = arityOf(field, operator)
  const value = arity === 'one' ? read(values[0] ?? '') : values.map(read)
  return { field: field.api, operator, ...(arity === 'none' ? {} : { value }), ...(key === undefined ? {} : { nested_key: key }) }
}

function timeFilters(field: Vocabulary['time'], { from, to }: TimeSpan): ApiCondition[] {
  const iso = (at: number) => new Date(at).toISOString()
  if (from !== null && to !== null) return [{ field, operator: 'between', value: [iso(from), iso(to)] }]
  if (from !== null) return [{ field, operator: 'after', value: iso(from) }]
  return to === null ? [] : [{ field, operator: 'before', value: iso(to) }]
}

/** The state with a fixed range, in ms since 1970. */
export function narrow<State extends QueryState>(state: State, from: number, to: number): State {
  return { ...state, range: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/**
 * The state with one more filter, using the usual operator of the field: equals
 * for the model, contains for tags, key equals for metadata. Does not add a
 * filter twice. The field may have its query name or its API name.
 */
export function addFilter<State extends QueryState>(state: State, field: string, value: string, nestedKey?: string, vocabulary: Vocabulary = requests): State {
  const found = vocabulary.find(field, nestedKey !== undefined)
  if (found === undefined) throw new Error(`unknown field ${field}`)
  const operator = operatorsOf(found)[0] ?? 'is'
  const condition: Condition = {
    kind: 'condition', field: found, operator: found.type === 'boolean' && value === 'false' ? 'is_false' : operator,
    ...(nestedKey === undefined ? {} : { key: nestedKey }), values: found.type === 'boolean' ? [] : [value],
  }
  return addNode(state, condition, vocabulary)
}

/** The state with one more part of the query, unless it already has it. */
export function addNode<State extends QueryState>(state: State, node: QueryNode, vocabulary: Vocabulary = requests): State {
  const text = (state.q ?? '').trim()
  const added = printNode(node)
  if (text === '') return { ...state, q: added }
  if (findError(text, vocabulary) !== null) return { ...state, q: `${text} ${added}` }
  const root = parse(text, vocabulary)
  if (root.nodes.some((other) => printNode(other) === added)) return state
  return { ...state, q: print({ ...root, nodes: [...root.nodes, node] }) }
}
