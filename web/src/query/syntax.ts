import { arityOf, type Field, type Operator } from './fields'

/** One filter: a field, an operator and the values as typed. */
export interface Condition {
  kind: 'condition'
  field: Field
  operator: Operator
  /** The dotted path of a nested field. */
  key?: string
  values: string[]
}

/** Words to find anywhere in the input or output; `exact` for quoted text. */
export interface FreeText {
  kind: 'text'
  text: string
  exact: boolean
  negated: boolean
}

export interface Group {
  kind: 'group'
  logic: 'AND' | 'OR'
  /** Whether one and the same span must match. */
  span?: true
  nodes: QueryNode[]
}

export type QueryNode = Condition | FreeText | Group

export const emptyQuery: Group = { kind: 'group', logic: 'AND', nodes: [] }

/** Prints a query as text that `parse` reads back. */
export function print(root: Group): string {
  return printNodes(root)
}

function printNodes(group: Group): string {
  return group.nodes.map(printNode).join(group.logic === 'OR' ? ' OR ' : ' ')
}

export function printNode(node: QueryNode): string {
  if (node.kind === 'group') return `${node.span ? 'span' : ''}(${printNodes(node)})`
  if (node.kind === 'text') return (node.negated ? '-' : '') + (node.exact ? quote(node.text) : node.text)
  return printCondition(node)
}

const symbols: Partial<Record<Operator, string>> = {
  starts_with: '^=', ends_with: '$=', gt: '>', gte: '>=', lt: '<', lte: '<=', before: '<', after: '>', key_contains: '~',
}

const negatives: Operator[] = ['is_not', 'not_in', 'not_contains', 'neq', 'key_not_equals', 'is_null', 'is_empty']

function printCondition({ field, operator, key, values }: Condition): string {
  const name = field.name + (key === undefined ? '' : '.' + (/^[\w.-]+$/.test(key) ? key : quote(key)))
  // For names, a colon means the whole name.
  const part = field.type === 'name' && (operator === 'contains' || operator === 'not_contains')
  const head = (negatives.includes(operator) ? '-' : '') + name + (part ? '~' : (symbols[operator] ?? ':'))
  switch (arityOf(field, operator)) {
    case 'none':
      if (operator === 'is_true' || operator === 'is_false') return head + String(operator === 'is_true')
      return head + '*'
    case 'pair':
      return head + values.map(bare).join('..')
    default:
      // A comma after a single value keeps it a list.
      return head + values.map(bare).join(',') + (values.length === 1 && arityOf(field, operator) === 'list' ? ',' : '')
  }
}

/** The value as typed, quoted where necessary. */
export function bare(value: string): string {
  return value !== '' && value !== '*' && /^[^\s"(),]+$/.test(value) && !value.includes('..') && value !== 'OR' && value !== 'AND' ? value : quote(value)
}

function quote(text: string): string {
  return '"' + text.replace(/[\\"]/g, '\\$&') + '"'
}
