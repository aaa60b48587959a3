import { isObject } from '@/lib/json'
import type { Configuration } from './node-types'

/** A short summary of a node for the graph. */
export function summaryOf({ node_type, configuration: c }: { node_type: string; configuration: Configuration }): string {
  const source = text(c.source)
  switch (node_type) {
    case 'VARIABLE':
      return shown(isObject(c.value) && 'value' in c.value ? c.value.value : c.value)
    case 'COMPARE':
      return listOf(c).join(comparison(c))
    case 'CONTAINS':
      return `${source} contains ${c.value_source === undefined ? shown(c.value) : text(c.value_source)}`
    case 'REGEX':
    case 'REGEX_EXTRACTION':
      return `/${text(c.regex_pattern ?? c.pattern)}/`
    case 'JSON_PATH':
      return `${source} ${text(c.json_path ?? c.path)}`
    case 'XML_PATH':
      return `${source} ${text(c.xml_path ?? c.xpath)}`
    case 'PARSE_VALUE':
    case 'ASSERT_VALID':
      return `${source} as ${text(c.type ?? c.target_type ?? c.validation_type)}`
    case 'COUNT':
      return `${text(c.type ?? c.count_type)} of ${source}`
    case 'MATH_OPERATOR':
      return [...listOf(c), ...(c.value === undefined ? [] : [shown(c.value)])].join(` ${mathSigns[text(c.operator)] ?? text(c.operator)} `)
    case 'MIN_MAX':
      return `${text(c.type ?? c.operation)} of ${source}`
    case 'APPLY_DIFF':
      return `${text(c.diff_source)} onto ${text(c.original_source)}`
    case 'COALESCE':
    case 'COMBINE_COLUMNS':
    case 'ABSOLUTE_NUMERIC_DISTANCE':
    case 'COSINE_SIMILARITY':
      return listOf(c).join(', ')
    case 'PROMPT_TEMPLATE':
    case 'CONVERSATION_SIMULATOR':
      return promptSummary(c)
    case 'LLM_ASSERTION':
      return text(c.prompt ?? c.prompt_source)
    case 'AI_DATA_EXTRACTION':
      return text(c.query ?? c.extraction_prompt)
    case 'CODE_EXECUTION':
      return firstLine(text(c.code))
    case 'ENDPOINT':
      return text(c.url).replace(/^https?:\/\//, '')
    case 'MCP':
      return text(c.function_name ?? c.tool_name)
    case 'WORKFLOW':
      return text(c.workflow_name ?? (c.workflow_id === undefined ? '' : `workflow ${text(c.workflow_id)}`))
    case 'FOR_LOOP':
    case 'WHILE_LOOP':
      return c.iterator_source === undefined ? `${text(c.loop_type)}, at most ${text(c.max_iterations ?? 100)} times` : `${text(c.loop_type)} for each of ${text(c.iterator_source)}`
    default:
      return ''
  }
}

const mathSigns: Record<string, string> = { lt: '<', le: '≤', gt: '>', ge: '≥', '*': '×', '/': '÷', '-': '−' }
const comparisonSigns: Record<string, string> = { EQ: '=', NE: '≠', GT: '>', GTE: '≥', LT: '<', LTE: '≤' }

function comparison(c: Configuration): string {
  const kind = isObject(c.comparison_type) ? c.comparison_type : {}
  return ` ${kind.type === 'NUMBER' ? (comparisonSigns[text(kind.operator)] ?? '=') : '='} `
}

function promptSummary(c: Configuration): string {
  if (!isObject(c.template)) return 'inline prompt'
  const { prompt_name, name, id, label, version_number } = c.template
  const which = label !== undefined && label !== null ? ` · ${text(label)}` : version_number !== undefined && version_number !== null ? ` · v${text(version_number)}` : ''
  return text(prompt_name ?? name ?? id) + which
}

function listOf(c: Configuration): string[] {
  const names = Array.isArray(c.sources) ? c.sources.map(text) : [text(c.source1), text(c.source2)]
  return c.target === undefined ? names : [...names, shown(c.target)]
}

function firstLine(code: string): string {
  return code.split('\n').map((line) => line.trim()).find((line) => line !== '' && !/^(\/\/|#)/.test(line)) ?? ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : shown(value)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? '')
}
