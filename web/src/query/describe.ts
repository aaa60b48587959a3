import { arityOf, operatorLabels } from './fields'
import type { QueryNode } from './syntax'

/** Describes a part of a query for its pill. */
export function describe(node: QueryNode): { subject: string; verb: string; object: string } {
  if (node.kind === 'text') return { subject: '', verb: node.negated ? 'without' : '', object: node.exact ? `“${node.text}”` : node.text }
  if (node.kind === 'group') {
    const parts = node.nodes.map((inner) => {
      const words = sentence(inner)
      return inner.kind === 'group' ? `(${words})` : words
    })
    return { subject: node.span ? 'span' : '', verb: '', object: parts.join(node.logic === 'OR' ? ' or ' : ' and ') }
  }
  const subject = node.field.name + (node.key === undefined ? '' : '.' + node.key)
  const arity = arityOf(node.field, node.operator)
  const object = arity === 'pair' ? node.values.join(' – ') : node.values.join(', ')
  const usual = ['is', 'in', 'key_equals'].includes(node.operator) || (node.field.type === 'array' && node.operator === 'contains')
  return { subject, verb: usual ? '' : operatorLabels[node.operator], object }
}

/** The same as one text. */
export function sentence(node: QueryNode): string {
  const { subject, verb, object } = describe(node)
  return [subject === '' || verb !== '' ? subject : subject + ':', verb, object].filter((part) => part !== '').join(' ')
}
