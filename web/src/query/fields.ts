/** The vocabularies of queries: the fields that request logs and traces can be filtered by, and how. They come from the server. */

import { fields as fieldSpecs, operators as operatorSpecs, operatorsByType, traceFields as traceFieldSpecs } from './vocabulary'

type FieldSpec = (typeof fieldSpecs)[number]
type TraceFieldSpec = (typeof traceFieldSpecs)[number]
type OperatorSpec = (typeof operatorSpecs)[number]

/** The name of a field of requests in the API. */
export type FieldName = FieldSpec['name']
export type MetricField = Extract<FieldSpec, { metric: true }>['name']
/** Without scores, which need a name. */
export type GroupField = Exclude<Extract<FieldSpec, { group_by: true }>['name'], 'scores'>
export type SortField = Exclude<Extract<FieldSpec, { sortable: true }>['name'], 'scores'>

/** The name of a field of traces or spans in the API. */
export type TraceFieldName = TraceFieldSpec['name']
export type TraceSortField = Extract<TraceFieldSpec, { sortable: true }>['name']

/** The name under which the API suggests the values of a field. */
export type Suggestible = Extract<FieldSpec, { suggest: string }>['suggest']

export type Operator = OperatorSpec['name']

/** How many values an operator compares with. */
type Arity = OperatorSpec['arity']

export interface Field {
  /** The name in queries. */
  name: string
  /** The name in the API. */
  api: FieldName | TraceFieldName
  type: (FieldSpec | TraceFieldSpec)['type']
  label: string
  /** What the field is, in one sentence. */
  description: string
  section: string
  /** Suggested values: from the server, or these. */
  suggest?: Suggestible
  values?: readonly string[]
  /** Where the keys of a field that has some are suggested from. */
  suggestKeys?: Suggestible
  unit?: string
  /** Whether a field of traces is one of the trace or of its spans. */
  level?: 'trace' | 'span'
  /** Whether charts can be grouped by it. */
  group_by?: boolean
}

/** A field as the API describes it. */
interface Spec extends Omit<Field, 'name' | 'api' | 'suggestKeys'> {
  name: Field['api']
  query_name: string
  keys?: string
}

interface Subject {
  /** What a query finds. */
  noun: 'requests' | 'traces'
  /** Filters as an example. */
  example: string
  /** The field of the time range. */
  time: Field['api']
  /** The fields that quoted and excluded text is compared with. Without any, text is only searched for. */
  texts: readonly Field['api'][]
  /** Whether groups can be about one span. */
  spans: boolean
}

/** What queries of a page can consist of. */
export interface Vocabulary extends Subject {
  fields: readonly Field[]
  /** The field of a typed name, with a key or without: output is a text, output.KEY a value in it. */
  find: (name: string, withKey?: boolean) => Field | undefined
}

function vocabularyOf(specs: readonly Spec[], subject: Subject): Vocabulary {
  const fields = specs.map(({ name, query_name, ...rest }): Field => {
    const keys = specs.find((other) => other.name === rest.keys)
    return { ...rest, name: query_name, api: name, ...(keys?.suggest === undefined ? {} : { suggestKeys: keys.suggest }) }
  })
  return { ...subject, fields, find: finder(fields) }
}

/** Whether the field has a value for each of several keys: metadata.KEY. */
export function hasKeys({ type }: Pick<Field, 'type'>): boolean {
  return type === 'nested' || type === 'score'
}

/** Whether the operator compares the field with numbers. */
export function comparesNumbers({ type }: Pick<Field, 'type'>, operator: Operator): boolean {
  return type === 'numeric' || (type === 'score' && operatorsByType.numeric.some((name) => name === operator))
}

function finder(fields: readonly Field[]): Vocabulary['find'] {
  const byName = new Map<string, Field>()
  const nestedByName = new Map<string, Field>()
  for (const field of fields) (hasKeys(field) ? nestedByName : byName).set(field.name, field)
  // The names in the API work too, unless another field has them.
  for (const field of fields) {
    if (!byName.has(field.api)) byName.set(field.api, field)
  }
  return (name, withKey = false) => {
    const lower = name.toLowerCase()
    return (withKey ? nestedByName.get(lower) : undefined) ?? byName.get(lower) ?? nestedByName.get(lower)
  }
}

/** The vocabulary of request logs. */
export const requests = vocabularyOf(fieldSpecs, {
  noun: 'requests', example: 'model:gpt-4o status:error latency>2s', time: 'request_start_time', texts: ['input_text', 'output_text'], spans: false,
})

/** The vocabulary of traces and their spans. */
export const traces = vocabularyOf(traceFieldSpecs, {
  noun: 'traces', example: 'name~agent status:error duration>10s', time: 'trace_start', texts: [], spans: true,
})

/** The fields of requests. */
export const fields = requests.fields

/** The field of requests with a typed name. */
export const findField = requests.find

const byApiName = new Map(fields.map((field) => [field.api, field]))

/** The field of requests with a name in the API. */
export function fieldOf(api: FieldName): Field {
  const field = byApiName.get(api)
  if (field === undefined) throw new Error(`unknown field ${api}`)
  return field
}

/** The labels of the fields that charts measure. */
export const metricFields = labels((spec): spec is Extract<FieldSpec, { metric: true }> => 'metric' in spec)

/** The labels of the fields that charts are grouped by. */
export const groupFields = labels((spec): spec is Extract<FieldSpec, { group_by: true; name: GroupField }> => 'group_by' in spec && spec.type !== 'score')

/** The labels of the fields that a search can be ordered by. */
export const sortFields = labels((spec): spec is Extract<FieldSpec, { sortable: true; name: SortField }> => 'sortable' in spec && spec.type !== 'score')

/** The fields that a search of traces can be ordered by. */
export const traceSortFields = traceFieldSpecs.filter((spec): spec is Extract<TraceFieldSpec, { sortable: true }> => 'sortable' in spec).map(({ name }) => name)

function labels<Spec extends FieldSpec>(test: (spec: FieldSpec) => spec is Spec): Record<Spec['name'], string> {
  return Object.fromEntries(fieldSpecs.filter(test).map(({ name, label }) => [name, label])) as Record<Spec['name'], string>
}

// The API also compares scores as texts.
const scoreOperators = operatorsByType.score.filter((name) => !name.startsWith('key_'))

/** The operators that a field takes, the usual one first. */
export function operatorsOf(field: Field): readonly Operator[] {
  return field.type === 'score' ? scoreOperators : operatorsByType[field.type]
}

const arities = new Map<Operator, Arity>(operatorSpecs.map(({ name, arity }) => [name, arity]))

/** How many values the operator compares with, undefined when the field does not take it. */
export function arityOf(field: Field, operator: Operator): Arity | undefined {
  return operatorsOf(field).includes(operator) ? arities.get(operator) : undefined
}

/** The names of operators in forms and pills. */
export const operatorLabels = Object.fromEntries(operatorSpecs.map(({ name, label }) => [name, label])) as Record<Operator, string>

/** The operator that is true exactly where this one is false; some have none. */
export const opposites: Partial<Record<Operator, Operator>> = Object.fromEntries(
  operatorSpecs.flatMap((spec) => ('negates' in spec ? [[spec.name, spec.negates], [spec.negates, spec.name]] : [])),
)
