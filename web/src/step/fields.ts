import { isObject } from '@/lib/json'
import type { Configuration } from './node-types'

interface Common {
  /** The member, and further spellings of it that the server also takes. */
  keys: [string, ...string[]]
  label: string
  hint?: string
  /** Whether it may be left out. */
  optional?: boolean
}

/** A member of a configuration as a form shows it. */
export type FieldSpec = Common & (
  | { kind: 'source' | 'sources' | 'text' | 'long' | 'pattern' | 'number' | 'mapping' | 'headers' }
  | { kind: 'flag'; fallback: boolean }
  | { kind: 'choice'; choices: { value: string; label: string }[] }
)

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }))
const source: FieldSpec = { kind: 'source', keys: ['source'], label: 'Value of' }
const pair: FieldSpec = { kind: 'sources', keys: ['sources'], label: 'Values of', hint: 'Two of them.' }
const pattern: FieldSpec = { kind: 'pattern', keys: ['regex_pattern', 'pattern'], label: 'Regular expression', hint: 'Start with (?i) to ignore case.' }
const path: FieldSpec = { kind: 'pattern', keys: ['json_path', 'path'], label: 'JSON path', hint: 'Such as $.items[0].name' }

/** The forms of the types that need no form of their own. All other types are edited as JSON. */
export const forms: Record<string, FieldSpec[]> = {
  COALESCE: [{ kind: 'sources', keys: ['sources'], label: 'First value of', hint: 'In this order. Skipped nodes count as null.' }],
  COMBINE_COLUMNS: [
    { kind: 'sources', keys: ['sources'], label: 'Values of' },
    { kind: 'text', keys: ['separator'], label: 'Separator', optional: true, hint: 'With one, the values are joined to a text.' },
    { kind: 'long', keys: ['format'], label: 'Format', optional: true, hint: 'A text in which {name} is replaced by the value.' },
  ],
  CONTAINS: [
    source,
    { kind: 'text', keys: ['value'], label: 'Contains', optional: true, hint: 'Upper and lower case count as the same.' },
    { kind: 'source', keys: ['value_source'], label: 'Or the value of', optional: true },
  ],
  REGEX: [source, pattern],
  REGEX_EXTRACTION: [source, pattern, { kind: 'number', keys: ['group'], label: 'Group', optional: true, hint: 'The group to take; all of them when left out.' }],
  ABSOLUTE_NUMERIC_DISTANCE: [pair],
  COSINE_SIMILARITY: [pair],
  JSON_PATH: [source, path, { kind: 'flag', keys: ['return_first_match'], label: 'First match only', fallback: true }],
  XML_PATH: [
    source,
    { kind: 'pattern', keys: ['xml_path', 'xpath'], label: 'XPath' },
    { kind: 'choice', keys: ['type'], label: 'Take', optional: true, choices: [{ value: 'find', label: 'the first' }, { value: 'findall', label: 'all' }] },
    { kind: 'flag', keys: ['return_text'], label: 'Text only', fallback: true },
  ],
  PARSE_VALUE: [source, { kind: 'choice', keys: ['type', 'target_type'], label: 'Into', choices: choices('string', 'number', 'boolean', 'object') }],
  ASSERT_VALID: [source, { kind: 'choice', keys: ['type', 'validation_type'], label: 'Is valid', choices: [{ value: 'object', label: 'JSON' }, { value: 'number', label: 'number' }, { value: 'sql', label: 'SQL' }] }],
  APPLY_DIFF: [
    { kind: 'source', keys: ['original_source'], label: 'Original' },
    { kind: 'source', keys: ['diff_source'], label: 'Diff' },
  ],
  COUNT: [
    source,
    { kind: 'choice', keys: ['type', 'count_type'], label: 'Count', choices: choices('chars', 'words', 'sentences', 'paragraphs') },
    { kind: 'number', keys: ['min_count'], label: 'At least', optional: true, hint: 'With a bound, the value is whether the count is within.' },
    { kind: 'number', keys: ['max_count'], label: 'At most', optional: true },
  ],
  MATH_OPERATOR: [
    { kind: 'sources', keys: ['sources'], label: 'Values of', hint: 'One, with a number below, or two.' },
    {
      kind: 'choice', keys: ['operator'], label: 'Operator',
      choices: [
        { value: 'lt', label: 'less than' }, { value: 'le', label: 'at most' }, { value: 'gt', label: 'more than' }, { value: 'ge', label: 'at least' },
        { value: '+', label: 'plus' }, { value: '-', label: 'minus' }, { value: '*', label: 'times' }, { value: '/', label: 'divided by' }, { value: '%', label: 'remainder by' }, { value: '**', label: 'to the power of' },
      ],
    },
    { kind: 'number', keys: ['value'], label: 'Number', optional: true },
  ],
  MIN_MAX: [source, { kind: 'choice', keys: ['type', 'operation'], label: 'Find', choices: [{ value: 'min', label: 'smallest' }, { value: 'max', label: 'largest' }] }, { ...path, optional: true }],
  LLM_ASSERTION: [
    source,
    { kind: 'long', keys: ['prompt'], label: 'Statement', optional: true, hint: 'What must hold, such as “The reply is polite.”' },
    { kind: 'source', keys: ['prompt_source'], label: 'Or the statement of', optional: true },
    { kind: 'mapping', keys: ['variable_mappings'], label: 'Variables of the statement', optional: true },
  ],
  AI_DATA_EXTRACTION: [source, { kind: 'long', keys: ['query', 'extraction_prompt'], label: 'What to extract' }],
  ENDPOINT: [
    { kind: 'text', keys: ['url'], label: 'Address', hint: 'All values so far are posted to it as JSON.' },
    { kind: 'headers', keys: ['headers'], label: 'Headers', optional: true },
    { kind: 'number', keys: ['timeout'], label: 'Seconds to wait', optional: true, hint: '30 when left out.' },
  ],
  MCP: [
    { kind: 'text', keys: ['server_url'], label: 'Server address', optional: true },
    { kind: 'text', keys: ['function_name', 'tool_name'], label: 'Tool' },
    { kind: 'mapping', keys: ['input_mappings'], label: 'Arguments', optional: true },
  ],
  WORKFLOW: [
    { kind: 'text', keys: ['workflow_name'], label: 'Workflow', optional: true, hint: 'By its name, or by its id below.' },
    { kind: 'number', keys: ['workflow_id'], label: 'Workflow id', optional: true },
    { kind: 'text', keys: ['workflow_label'], label: 'Release label', optional: true, hint: 'The latest version when neither is given.' },
    { kind: 'number', keys: ['workflow_version_number'], label: 'Version', optional: true },
    { kind: 'mapping', keys: ['input_mappings'], label: 'Input variables', optional: true },
  ],
}

/** The value of a field and the spelling under which it stands. */
export function readField(configuration: Configuration, keys: FieldSpec['keys']): { key: string; value: unknown } {
  const key = keys.find((one) => configuration[one] !== undefined && configuration[one] !== null) ?? keys[0]
  return { key, value: configuration[key] }
}

/** The configuration with another value of a field; `undefined` takes the member away. */
export function writeField(configuration: Configuration, keys: FieldSpec['keys'], value: unknown): Configuration {
  const { key } = readField(configuration, keys)
  if (value !== undefined) return { ...configuration, [key]: value }
  return Object.fromEntries(Object.entries(configuration).filter(([one]) => !keys.includes(one)))
}

/**
 * Whether a form shows a configuration in full. Other spellings and further
 * members are edited as JSON.
 */
export function formShows(type: string, configuration: Configuration): boolean {
  const specs = forms[type]
  if (specs === undefined) return false
  return Object.entries(configuration).every(([key, value]) => {
    const spec = specs.find((one) => one.keys.includes(key))
    return spec !== undefined && (value === null || fits(spec, value))
  })
}

function fits(spec: FieldSpec, value: unknown): boolean {
  switch (spec.kind) {
    case 'sources':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'mapping':
    case 'headers':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
    case 'choice':
      return spec.choices.some((choice) => choice.value === value)
    default:
      return typeof value === 'string'
  }
}
