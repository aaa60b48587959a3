import { isObject } from '@/lib/json'
import type { Configuration } from './node-types'

interface Common {
  /** The member, and alternative names that the server also accepts. */
  keys: [string, ...string[]]
  label: string
  hint?: string
  /** Whether it can be omitted. */
  optional?: boolean
}

/** A member of a configuration as shown in a form. */
export type FieldSpec = Common & (
  | { kind: 'source' | 'sources' | 'text' | 'long' | 'pattern' | 'number' | 'mapping' | 'headers' }
  | { kind: 'flag'; fallback: boolean }
  | { kind: 'choice'; choices: { value: string; label: string }[] }
)

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }))
const source: FieldSpec = { kind: 'source', keys: ['source'], label: 'Value of' }
const pair: FieldSpec = { kind: 'sources', keys: ['sources'], label: 'Values of', hint: 'Choose two.' }
const pattern: FieldSpec = { kind: 'pattern', keys: ['regex_pattern', 'pattern'], label: 'Regular expression', hint: 'Start with (?i) to ignore case.' }
const path: FieldSpec = { kind: 'pattern', keys: ['json_path', 'path'], label: 'JSON path', hint: 'Example: $.items[0].name' }

/** The forms of types without a dedicated form. All other types are edited as JSON. */
export const forms: Record<string, FieldSpec[]> = {
  COALESCE: [{ kind: 'sources', keys: ['sources'], label: 'First value of', hint: 'Checked in this order. Skipped nodes count as null.' }],
  COMBINE_COLUMNS: [
    { kind: 'sources', keys: ['sources'], label: 'Values of' },
    { kind: 'text', keys: ['separator'], label: 'Separator', optional: true, hint: 'Joins the values into one text.' },
    { kind: 'long', keys: ['format'], label: 'Format', optional: true, hint: 'Text with {name} placeholders for the values.' },
  ],
  CONTAINS: [
    source,
    { kind: 'text', keys: ['value'], label: 'Contains', optional: true, hint: 'Not case-sensitive.' },
    { kind: 'source', keys: ['value_source'], label: 'Or the value of', optional: true },
  ],
  REGEX: [source, pattern],
  REGEX_EXTRACTION: [source, pattern, { kind: 'number', keys: ['group'], label: 'Group', optional: true, hint: 'The capture group to return. Leave empty for all.' }],
  ABSOLUTE_NUMERIC_DISTANCE: [pair],
  COSINE_SIMILARITY: [pair],
  JSON_PATH: [source, path, { kind: 'flag', keys: ['return_first_match'], label: 'First match only', fallback: true }],
  XML_PATH: [
    source,
    { kind: 'pattern', keys: ['xml_path', 'xpath'], label: 'XPath' },
    { kind: 'choice', keys: ['type'], label: 'Return', optional: true, choices: [{ value: 'find', label: 'first match' }, { value: 'findall', label: 'all matches' }] },
    { kind: 'flag', keys: ['return_text'], label: 'Text only', fallback: true },
  ],
  PARSE_VALUE: [source, { kind: 'choice', keys: ['type', 'target_type'], label: 'Convert to', choices: choices('string', 'number', 'boolean', 'object') }],
  ASSERT_VALID: [source, { kind: 'choice', keys: ['type', 'validation_type'], label: 'Expected format', choices: [{ value: 'object', label: 'JSON' }, { value: 'number', label: 'number' }, { value: 'sql', label: 'SQL' }] }],
  APPLY_DIFF: [
    { kind: 'source', keys: ['original_source'], label: 'Original' },
    { kind: 'source', keys: ['diff_source'], label: 'Diff' },
  ],
  COUNT: [
    source,
    { kind: 'choice', keys: ['type', 'count_type'], label: 'Count', choices: choices('chars', 'words', 'sentences', 'paragraphs') },
    { kind: 'number', keys: ['min_count'], label: 'At least', optional: true, hint: 'With a limit, the result is whether the count is within it.' },
    { kind: 'number', keys: ['max_count'], label: 'At most', optional: true },
  ],
  MATH_OPERATOR: [
    { kind: 'sources', keys: ['sources'], label: 'Values of', hint: 'Choose two, or one and a number below.' },
    {
      kind: 'choice', keys: ['operator'], label: 'Operator',
      choices: [
        { value: 'lt', label: 'less than' }, { value: 'le', label: 'at most' }, { value: 'gt', label: 'greater than' }, { value: 'ge', label: 'at least' },
        { value: '+', label: 'plus' }, { value: '-', label: 'minus' }, { value: '*', label: 'times' }, { value: '/', label: 'divided by' }, { value: '%', label: 'modulo' }, { value: '**', label: 'to the power of' },
      ],
    },
    { kind: 'number', keys: ['value'], label: 'Number', optional: true },
  ],
  MIN_MAX: [source, { kind: 'choice', keys: ['type', 'operation'], label: 'Find', choices: [{ value: 'min', label: 'smallest' }, { value: 'max', label: 'largest' }] }, { ...path, optional: true }],
  LLM_ASSERTION: [
    source,
    { kind: 'long', keys: ['prompt'], label: 'Statement', optional: true, hint: 'What must be true. Example: “The reply is polite.”' },
    { kind: 'source', keys: ['prompt_source'], label: 'Or statement from', optional: true },
    { kind: 'mapping', keys: ['variable_mappings'], label: 'Variables of the statement', optional: true },
  ],
  AI_DATA_EXTRACTION: [source, { kind: 'long', keys: ['query', 'extraction_prompt'], label: 'What to extract' }],
  ENDPOINT: [
    { kind: 'text', keys: ['url'], label: 'URL', hint: 'All values so far are sent as JSON in a POST request.' },
    { kind: 'headers', keys: ['headers'], label: 'Headers', optional: true },
    { kind: 'number', keys: ['timeout'], label: 'Timeout in seconds', optional: true, hint: 'Defaults to 30.' },
  ],
  MCP: [
    { kind: 'text', keys: ['server_url'], label: 'Server URL', optional: true },
    { kind: 'text', keys: ['function_name', 'tool_name'], label: 'Tool' },
    { kind: 'mapping', keys: ['input_mappings'], label: 'Arguments', optional: true },
  ],
  WORKFLOW: [
    { kind: 'text', keys: ['workflow_name'], label: 'Workflow', optional: true, hint: 'Enter the name, or the ID below.' },
    { kind: 'number', keys: ['workflow_id'], label: 'Workflow ID', optional: true },
    { kind: 'text', keys: ['workflow_label'], label: 'Release label', optional: true, hint: 'Defaults to the latest version.' },
    { kind: 'number', keys: ['workflow_version_number'], label: 'Version', optional: true },
    { kind: 'mapping', keys: ['input_mappings'], label: 'Input variables', optional: true },
  ],
}

/** Returns the value of a field and the member that holds it. */
export function readField(configuration: Configuration, keys: FieldSpec['keys']): { key: string; value: unknown } {
  const key = keys.find((one) => configuration[one] !== undefined && configuration[one] !== null) ?? keys[0]
  return { key, value: configuration[key] }
}

/** Returns the configuration with a new value for a field. `undefined` removes the member. */
export function writeField(configuration: Configuration, keys: FieldSpec['keys'], value: unknown): Configuration {
  const { key } = readField(configuration, keys)
  if (value !== undefined) return { ...configuration, [key]: value }
  return Object.fromEntries(Object.entries(configuration).filter(([one]) => !keys.includes(one)))
}

/**
 * Reports whether a form can show the whole configuration. Other formats and
 * unknown members are edited as JSON.
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
