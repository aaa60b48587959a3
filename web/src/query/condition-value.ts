import { fieldOf, type FieldName } from './fields'
import { findError, parse } from './parse'
import { addFilter } from './state'
import { print, type QueryNode } from './syntax'

function isEqualTo(node: QueryNode, field: FieldName): node is Extract<QueryNode, { kind: 'condition' }> {
  return node.kind === 'condition' && node.field.api === field && node.operator === 'is'
}

/** The value that a field must have in every request of the query, or null. */
export function conditionValue(q: string, field: FieldName): string | null {
  if (findError(q) !== null) return null
  return parse(q).nodes.find((node) => isEqualTo(node, field))?.values[0] ?? null
}

/** The query with another value for the field, or with none. A query with an error stays as it is. */
export function withConditionValue(q: string, field: FieldName, value: string | null): string {
  if (findError(q) !== null) return q
  const root = parse(q)
  const rest = print({ ...root, nodes: root.nodes.filter((node) => !isEqualTo(node, field)) })
  return value === null ? rest : addFilter({ q: rest }, fieldOf(field).name, value).q
}
