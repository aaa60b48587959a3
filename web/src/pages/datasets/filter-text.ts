import { findField, type Operator } from '@/query/fields'
import { findError } from '@/query/parse'
import { print, type Group, type QueryNode } from '@/query/syntax'

/**
 * The filter of a dataset as a query of the Requests page, or null if it cannot
 * be expressed as one.
 */
export function filterText(filter: Record<string, unknown>): string | null {
  const nodes: QueryNode[] = []
  if (typeof filter.q === 'string' && filter.q.trim() !== '') nodes.push({ kind: 'text', text: filter.q.trim(), exact: false, negated: false })
  if (filter.filter_group !== undefined && filter.filter_group !== null) {
    const group = readNode(filter.filter_group)
    if (group === null) return null
    // At the top level all must match, which needs no parentheses.
    if (group.kind === 'group' && group.logic === 'AND') nodes.push(...group.nodes)
    else nodes.push(group)
  }
  const text = print({ kind: 'group', logic: 'AND', nodes })
  return findError(text) === null ? text : null
}

function readNode(raw: unknown): QueryNode | null {
  if (typeof raw !== 'object' || raw === null) return null
  const { logic, filters, field, operator, value, nested_key } = raw as Record<string, unknown>
  if (Array.isArray(filters)) {
    const nodes = filters.map(readNode)
    return nodes.some((node) => node === null) ? null : ({ kind: 'group', logic: logic === 'OR' ? 'OR' : 'AND', nodes } as Group)
  }
  const found = typeof field === 'string' ? findField(field, typeof nested_key === 'string') : undefined
  if (found === undefined || typeof operator !== 'string') return null
  const values = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String)
  return { kind: 'condition', field: found, operator: operator as Operator, ...(typeof nested_key === 'string' ? { key: nested_key } : {}), values }
}
