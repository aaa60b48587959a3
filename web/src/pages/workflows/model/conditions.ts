import { isObject } from '@/lib/json'
import type { Conditional, Edge, Operator } from './definition'

export type Operand = { kind: 'source'; name: string } | { kind: 'value'; value: unknown }

/** Reads one side of a condition. Some clients omit the type or write the source as a string. */
export function readOperand(config: Record<string, unknown>): Operand {
  const { source } = config
  if (config.type !== 'static_value' && typeof source === 'string') return { kind: 'source', name: source }
  if (config.type !== 'static_value' && isObject(source)) return { kind: 'source', name: String(source.name ?? '') }
  return { kind: 'value', value: config.static_value ?? null }
}

export function writeOperand(operand: Operand): Record<string, unknown> {
  return operand.kind === 'source' ? { type: 'source', source: { name: operand.name } } : { type: 'static_value', static_value: operand.value }
}

const words: Record<Operator, string> = {
  '=': '=', '!=': '≠', '<': '<', '>': '>', '<=': '≤', '>=': '≥', in: 'in', not_in: 'not in', is_null: 'is null', is_not_null: 'is not null',
}

export function takesRight(operator: Operator): boolean {
  return operator !== 'is_null' && operator !== 'is_not_null'
}

function operandText(operand: Operand): string {
  return operand.kind === 'source' ? operand.name : JSON.stringify(operand.value)
}

/** A short text for a condition, without the side that is the source of the edge. */
function conditionalText(one: Conditional, source: string): string {
  const left = readOperand(one.left_config)
  const before = left.kind === 'source' && left.name === source ? '' : operandText(left) + ' '
  const after = takesRight(one.operator) ? ' ' + operandText(readOperand(one.right_config)) : ''
  return before + words[one.operator] + after
}

/** A short text for the conditions of an edge. */
export function edgeText(edge: Edge): string {
  return edge.conditionals
    .toSorted((a, b) => a.position - b.position)
    .map((one) => conditionalText(one, edge.source_node_name))
    .join(edge.is_and ? ' and ' : ' or ')
}

/** The initial condition of a new edge. */
export function newConditional(source: string, position: number): Conditional {
  return { position, operator: '=', left_config: writeOperand({ kind: 'source', name: source }), right_config: writeOperand({ kind: 'value', value: true }) }
}

/** Parses a typed value: as JSON if valid, else as text. */
export function readTyped(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Formats a value so that readTyped returns it again. */
export function writeTyped(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return readTyped(value) === value ? value : JSON.stringify(value)
}
