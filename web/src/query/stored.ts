import { fieldOf, findField, operatorLabels, type FieldName, type Operator } from './fields'
import { findError } from './parse'
import { requestBody } from './state'
import { print, type QueryNode } from './syntax'

/** The text of a query of requests that the server keeps, or null if it cannot be typed. */
export function storedText(query: unknown): string | null {
  if (!isRecord(query)) return null
  try {
    const words = typeof query.q === 'string' && query.q !== '' ? [freeText(query.q)] : []
    const group = isRecord(query.filter_group) && Array.isArray(query.filter_group.filters) ? query.filter_group : { logic: 'AND', filters: [] }
    const nodes = (group.filters as unknown[]).map(nodeOf)
    const filters: QueryNode[] = group.logic === 'OR' && nodes.length > 1 ? [{ kind: 'group', logic: 'OR', nodes }] : nodes
    const text = print({ kind: 'group', logic: 'AND', nodes: [...words, ...filters] })
    // What is typed must mean the same, whatever the query contains.
    return findError(text) === null && same(requestBody({ q: text, range: 'all' }), query) ? text : null
  } catch {
    return null
  }
}

function freeText(text: string): QueryNode {
  return { kind: 'text', text, exact: false, negated: false }
}

function nodeOf(filter: unknown): QueryNode {
  if (!isRecord(filter)) throw new Error('not a filter')
  if (Array.isArray(filter.filters)) return { kind: 'group', logic: filter.logic === 'OR' ? 'OR' : 'AND', nodes: filter.filters.map(nodeOf) }
  const { field, operator, value, nested_key } = filter
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return {
    kind: 'condition', field: fieldOf(field as FieldName), operator: operator as Operator, values: values.map(String), ...(typeof nested_key === 'string' ? { key: nested_key } : {}),
  }
}

/** Whether two values have the same members in any order. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
}

/** Describes which requests a query that the server keeps selects. */
export function queryWords(query: unknown): string {
  const { q, filter_group, filters } = isRecord(query) ? query : {}
  const parts = [...(typeof q === 'string' && q !== '' ? [`“${q}”`] : []), ...[groupWords(filter_group), groupWords({ filters })].filter((words) => words !== '')]
  return parts.length === 0 ? 'All requests' : parts.join(' and ')
}

function groupWords(group: unknown): string {
  if (!isRecord(group) || !Array.isArray(group.filters)) return ''
  return group.filters.map(filterWords).filter((words) => words !== '').join(group.logic === 'OR' ? ' or ' : ' and ')
}

function filterWords(filter: unknown): string {
  if (!isRecord(filter)) return ''
  if (Array.isArray(filter.filters)) return `(${groupWords(filter)})`
  const { field, nested_key, operator, value } = filter
  const name = typeof field === 'string' ? findField(field, typeof nested_key === 'string')?.name ?? field : ''
  const key = typeof nested_key === 'string' ? `.${nested_key}` : ''
  const words = typeof operator === 'string' ? (operatorLabels as Record<string, string>)[operator] ?? operator : ''
  return `${name}${key} ${words}${value === undefined ? '' : ` ${valueWords(value)}`}`
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
