/** The vocabulary of the query: every field that request logs can be filtered by, and how. */

type FieldType = 'identifier' | 'string' | 'status' | 'intent' | 'text' | 'number' | 'time' | 'boolean' | 'list' | 'nested'

export type Operator =
  | 'is' | 'is_not' | 'in' | 'not_in' | 'is_null' | 'is_not_null'
  | 'contains' | 'not_contains' | 'starts_with' | 'ends_with'
  | 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'between'
  | 'before' | 'after' | 'is_true' | 'is_false' | 'is_empty' | 'is_not_empty'
  | 'key_equals' | 'key_not_equals' | 'key_contains'

/** How many values an operator compares with. */
type Arity = 'none' | 'one' | 'list' | 'pair'

/** What the server can be asked for values of a field. */
export type Suggestible =
  | 'engine' | 'provider_type' | 'prompt_id' | 'prompt' | 'tags' | 'metadata_keys' | 'status' | 'tool_names'
  | 'output_keys' | 'input_variable_keys' | 'metadata_values' | 'output_values' | 'input_variable_values'

export interface Field {
  /** What people type. */
  name: string
  /** What the API calls it. */
  api: string
  type: FieldType
  /** What it is, in a few words. */
  label: string
  group: string
  /** Where suggested values come from: of the server, or these. */
  suggest?: Suggestible
  values?: readonly string[]
  /** Where the keys of a nested field come from. */
  suggestKeys?: Suggestible
  unit?: 'ms'
}

export const fields: readonly Field[] = [
  { name: 'status', api: 'status', type: 'status', label: 'How the request went', group: 'Request', values: ['SUCCESS', 'WARNING', 'ERROR'] },
  { name: 'model', api: 'engine', type: 'string', label: 'Model', group: 'Request', suggest: 'engine' },
  { name: 'provider', api: 'provider_type', type: 'string', label: 'Provider', group: 'Request', suggest: 'provider_type' },
  { name: 'error', api: 'error_type', type: 'string', label: 'Type of error', group: 'Request', values: [
    'PROVIDER_RATE_LIMIT', 'PROVIDER_QUOTA_LIMIT', 'PROVIDER_PARTIAL_RESPONSE', 'PROVIDER_TIMEOUT', 'PROVIDER_AUTH_ERROR', 'PROVIDER_ERROR',
    'TEMPLATE_RENDER_ERROR', 'VARIABLE_MISSING_OR_EMPTY', 'UNKNOWN_ERROR',
  ] },
  { name: 'id', api: 'pl_id', type: 'identifier', label: 'Id of the request', group: 'Request' },
  { name: 'user', api: 'user_id', type: 'string', label: 'Metadata user_id', group: 'Request' },
  { name: 'tag', api: 'tags', type: 'list', label: 'Tags', group: 'Request', suggest: 'tags' },
  { name: 'prompt', api: 'prompt', type: 'string', label: 'Name of the prompt', group: 'Prompt', suggest: 'prompt' },
  { name: 'version', api: 'prompt_version_number', type: 'number', label: 'Version of the prompt', group: 'Prompt' },
  { name: 'prompt_id', api: 'prompt_id', type: 'identifier', label: 'Id of the prompt', group: 'Prompt', suggest: 'prompt_id' },
  { name: 'var', api: 'input_variables', type: 'nested', label: 'Value of an input variable', group: 'Prompt', suggest: 'input_variable_values', suggestKeys: 'input_variable_keys' },
  { name: 'var_key', api: 'input_variable_keys', type: 'list', label: 'Names of input variables', group: 'Prompt', suggest: 'input_variable_keys' },
  { name: 'latency', api: 'latency_ms', type: 'number', label: 'Duration in ms, or as 2s', group: 'Numbers', unit: 'ms' },
  { name: 'cost', api: 'cost', type: 'number', label: 'Cost in dollars', group: 'Numbers' },
  { name: 'input_tokens', api: 'input_tokens', type: 'number', label: 'Tokens sent', group: 'Numbers' },
  { name: 'output_tokens', api: 'output_tokens', type: 'number', label: 'Tokens received', group: 'Numbers' },
  { name: 'cached_tokens', api: 'cached_tokens', type: 'number', label: 'Tokens read from a cache', group: 'Numbers' },
  { name: 'thinking_tokens', api: 'thinking_tokens', type: 'number', label: 'Tokens spent on thinking', group: 'Numbers' },
  { name: 'turns', api: 'turn_count', type: 'number', label: 'Turns of the assistant', group: 'Numbers' },
  { name: 'tool_calls', api: 'tool_call_count', type: 'number', label: 'Tool calls in the output', group: 'Numbers' },
  { name: 'metadata', api: 'metadata', type: 'nested', label: 'Value of a metadata key', group: 'Metadata', suggest: 'metadata_values', suggestKeys: 'metadata_keys' },
  { name: 'metadata_key', api: 'metadata_keys', type: 'list', label: 'Keys of the metadata', group: 'Metadata', suggest: 'metadata_keys' },
  { name: 'input', api: 'input_text', type: 'text', label: 'Text of the input', group: 'Content' },
  { name: 'output', api: 'output_text', type: 'text', label: 'Text of the output', group: 'Content' },
  { name: 'thinking', api: 'thinking_text', type: 'text', label: 'Text of the thinking', group: 'Content' },
  { name: 'json', api: 'is_json', type: 'boolean', label: 'Whether the output is JSON', group: 'Content' },
  { name: 'plain_text', api: 'is_plain_text', type: 'boolean', label: 'Whether the output is plain text', group: 'Content' },
  { name: 'tool_call', api: 'is_tool_call', type: 'boolean', label: 'Whether the output calls tools', group: 'Content' },
  { name: 'tool', api: 'tool_names', type: 'list', label: 'Tools that were called', group: 'Content', suggest: 'tool_names' },
  { name: 'output', api: 'output', type: 'nested', label: 'Value in a JSON output', group: 'Content', suggest: 'output_values', suggestKeys: 'output_keys' },
  { name: 'output_key', api: 'output_keys', type: 'list', label: 'Keys of a JSON output', group: 'Content', suggest: 'output_keys' },
  { name: 'user_intent', api: 'user_intent', type: 'intent', label: 'Mood of the user', group: 'Content', values: ['frustrated', 'satisfied', 'curious'] },
  { name: 'agent_intent', api: 'agent_intent', type: 'intent', label: 'Mood of the answer', group: 'Content', values: ['apologetic', 'refusal', 'uncertain'] },
  { name: 'trace', api: 'has_trace', type: 'boolean', label: 'Whether it belongs to a trace', group: 'Time' },
  { name: 'start', api: 'request_start_time', type: 'time', label: 'When it began', group: 'Time' },
  { name: 'end', api: 'request_end_time', type: 'time', label: 'When it ended', group: 'Time' },
]

const equality = { is: 'one', is_not: 'one', in: 'list', not_in: 'list' } as const

const operators: Record<FieldType, Partial<Record<Operator, Arity>>> = {
  identifier: { ...equality, is_null: 'none', is_not_null: 'none' },
  string: equality,
  status: equality,
  intent: equality,
  text: { contains: 'one', not_contains: 'one', starts_with: 'one', ends_with: 'one' },
  number: { eq: 'one', neq: 'one', gt: 'one', gte: 'one', lt: 'one', lte: 'one', between: 'pair', is_null: 'none', is_not_null: 'none' },
  time: { is: 'one', before: 'one', after: 'one', between: 'pair' },
  boolean: { is_true: 'none', is_false: 'none' },
  list: { contains: 'one', not_contains: 'one', in: 'list', not_in: 'list', is_empty: 'none', is_not_empty: 'none' },
  nested: { key_equals: 'one', key_not_equals: 'one', key_contains: 'one', in: 'list', not_in: 'list', is_empty: 'none', is_not_empty: 'none' },
}

/** The operators that a field takes, the usual one first. */
export function operatorsOf(field: Field): Operator[] {
  return Object.keys(operators[field.type]) as Operator[]
}

/** How many values the operator compares with, undefined when the field does not take it. */
export function arityOf(field: Field, operator: Operator): Arity | undefined {
  return operators[field.type][operator]
}

/** What the operator is called in forms and pills. */
export const operatorLabels: Record<Operator, string> = {
  is: 'is', is_not: 'is not', in: 'is any of', not_in: 'is none of', is_null: 'is not set', is_not_null: 'is set',
  contains: 'contains', not_contains: 'does not contain', starts_with: 'starts with', ends_with: 'ends with',
  eq: '=', neq: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤', between: 'is between',
  before: 'is before', after: 'is after', is_true: 'is true', is_false: 'is false', is_empty: 'is empty', is_not_empty: 'is not empty',
  key_equals: 'is', key_not_equals: 'is not', key_contains: 'contains',
}

/** The operator that is true exactly where this one is not; some have none. */
export const opposites: Partial<Record<Operator, Operator>> = pairs([
  ['is', 'is_not'], ['in', 'not_in'], ['is_null', 'is_not_null'], ['contains', 'not_contains'], ['eq', 'neq'],
  ['is_true', 'is_false'], ['is_empty', 'is_not_empty'], ['key_equals', 'key_not_equals'],
])

function pairs(list: [Operator, Operator][]): Partial<Record<Operator, Operator>> {
  return Object.fromEntries([...list, ...list.map(([a, b]) => [b, a])])
}

const byName = new Map<string, Field>()
const nestedByName = new Map<string, Field>()
for (const field of fields) (field.type === 'nested' ? nestedByName : byName).set(field.name, field)
// The names of the API work too, unless they are those of another field.
for (const field of fields) {
  if (!byName.has(field.api)) byName.set(field.api, field)
}

/** The field of a name that was typed, with a key or without: output is a text, output.KEY a value in it. */
export function findField(name: string, withKey = false): Field | undefined {
  const lower = name.toLowerCase()
  return (withKey ? nestedByName.get(lower) : undefined) ?? byName.get(lower) ?? nestedByName.get(lower)
}
