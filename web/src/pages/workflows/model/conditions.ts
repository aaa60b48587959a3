import { isObject } from '@/lib/json'
import type { Conditional, Edge, Operator } from './definition'

export type Operand = { kind: 'source'; name: string } | { kind: 'value'; value: unknown }

/** Reads one side of a condition; some clients leave the type out or write the source as a text. */
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

/** A condition in a few words. The side that is the edge's source is left out. */
function conditionalText(one: Conditional, source: string): string {
  const left = readOperand(one.left_config)
  const before = left.kind === 'source' && left.name === source ? '' : operandText(left) + ' '
  const after = takesRight(one.operator) ? ' ' + operandText(readOperand(one.right_config)) : ''
  return before + words[one.operator] + after
}

/** When an edge lets its target run, in a few words. */
export function edgeText(edge: Edge): string {
  return edge.conditionals
    .toSorted((a, b) => a.position - b.position)
    .map((one) => conditionalText(one, edge.source_node_name))
    .join(edge.is_and ? ' and ' : ' or ')
}

/** The condition that a new edge starts with. */
export function newConditional(source: string, position: number): Conditional {
  return { position, operator: '=', left_config: writeOperand({ kind: 'source', name: source }), right_config: writeOperand({ kind: 'value', value: true }) }
}

/** Reads a value that was typed: JSON where it is JSON, and else the text itself. */
export function readTyped(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Writes a value so that readTyped reads the same again. */
export function writeTyped(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return readTyped(value) === value ? value : JSON.stringify(value)
}
