import { same } from '@/lib/json'
import type { Definition, Node } from './definition'

export type ChangeKind = 'added' | 'removed' | 'changed' | 'unchanged'

export interface NodeChange {
  name: string
  kind: ChangeKind
  before: Node | null
  after: Node | null
  /** What differs, as text. */
  parts: string[]
}

interface DefinitionDiff {
  nodes: NodeChange[]
  conditionsDiffer: boolean
  variablesDiffer: boolean
  /** Whether the definitions are equal. */
  same: boolean
}

/** The differences between two definitions by node: changed ones first, in the order of the later one. */
export function diffDefinitions(before: Definition, after: Definition): DefinitionDiff {
  const old = new Map(before.nodes.map((node) => [node.name, node]))
  const kept = new Set(after.nodes.map((node) => node.name))
  const nodes = [
    ...after.nodes.map((node) => compareNode(old.get(node.name) ?? null, node)),
    ...before.nodes.filter((node) => !kept.has(node.name)).map((node): NodeChange => ({ name: node.name, kind: 'removed', before: node, after: null, parts: [] })),
  ]
  const conditionsDiffer = !same(before.edges, after.edges)
  const variablesDiffer = !same(before.variables, after.variables)
  return { nodes, conditionsDiffer, variablesDiffer, same: !conditionsDiffer && !variablesDiffer && nodes.every((node) => node.kind === 'unchanged') }
}

function compareNode(before: Node | null, after: Node): NodeChange {
  if (before === null) return { name: after.name, kind: 'added', before, after, parts: [] }
  const parts = [
    before.node_type === after.node_type ? null : 'type',
    same(before.configuration, after.configuration) ? null : 'configuration',
    same(before.dependencies, after.dependencies) ? null : 'dependencies',
    before.is_output_node === after.is_output_node ? null : 'output',
    before.retries === after.retries ? null : 'retries',
  ].filter((part) => part !== null)
  return { name: after.name, kind: parts.length > 0 ? 'changed' : 'unchanged', before, after, parts }
}

/** A node as text for comparisons. */
export function nodeText(node: Node | null): string {
  if (node === null) return ''
  const { node_type, is_output_node, retries, dependencies, configuration } = node
  return JSON.stringify({ node_type, is_output_node, ...(retries === 0 ? {} : { retries }), dependencies, configuration }, null, 2)
}

/** A complete definition as text. */
export function definitionText(definition: Definition): string {
  const { variables, nodes, edges } = definition
  return JSON.stringify({ required_input_variables: variables, nodes, edges }, null, 2)
}

/** A one-line summary: "1 node added, 2 changed, conditions". */
export function summarize(diff: DefinitionDiff): string {
  const words: string[] = []
  for (const kind of ['added', 'changed', 'removed'] as const) {
    const number = diff.nodes.filter((node) => node.kind === kind).length
    if (number > 0) words.push(words.length === 0 ? `${number} ${number === 1 ? 'node' : 'nodes'} ${kind}` : `${number} ${kind}`)
  }
  if (diff.conditionsDiffer) words.push('conditions')
  if (diff.variablesDiffer) words.push('input variables')
  return words.length === 0 ? 'no differences' : words.join(', ')
}
