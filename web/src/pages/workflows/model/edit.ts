import type { Configuration } from '@/step/step-type'
import type { Definition, Edge, Node } from './definition'
import { renameSources, sourcesOf } from './references'

/** The definition with one node replaced. */
export function changeNode(definition: Definition, name: string, change: Partial<Omit<Node, 'name'>>): Definition {
  return { ...definition, nodes: definition.nodes.map((node) => (node.name === name ? { ...node, ...change } : node)) }
}

/**
 * Changes a configuration. New sources become dependencies; removed ones are
 * dropped unless a condition uses them.
 */
export function changeConfiguration(definition: Definition, name: string, configuration: Configuration): Definition {
  const node = definition.nodes.find((one) => one.name === name)
  if (node === undefined) return definition
  const before = sourcesOf(node.configuration)
  const after = sourcesOf(configuration)
  const known = new Set([...definition.nodes.map((one) => one.name), ...Object.keys(definition.variables)])
  const conditional = new Set(definition.edges.filter((edge) => edge.target_node_name === name).map((edge) => edge.source_node_name))
  const kept = node.dependencies.filter((one) => after.includes(one) || !before.includes(one) || conditional.has(one))
  const added = after.filter((one) => known.has(one) && one !== name && !kept.includes(one) && !before.includes(one))
  return changeNode(definition, name, { configuration, dependencies: [...kept, ...added] })
}

export function addNode(definition: Definition, node: Node): Definition {
  return { ...definition, nodes: [...definition.nodes, node] }
}

/** Removes a node, its conditions, and the dependencies on it. */
export function removeNode(definition: Definition, name: string): Definition {
  return {
    ...definition,
    nodes: definition.nodes.filter((node) => node.name !== name).map((node) => ({ ...node, dependencies: node.dependencies.filter((one) => one !== name) })),
    edges: definition.edges.filter((edge) => edge.source_node_name !== name && edge.target_node_name !== name),
  }
}

/** Sets the dependencies of a node, and drops conditions on removed ones. */
export function setDependencies(definition: Definition, name: string, dependencies: string[]): Definition {
  const next = changeNode(definition, name, { dependencies })
  return { ...next, edges: next.edges.filter((edge) => edge.target_node_name !== name || dependencies.includes(edge.source_node_name)) }
}

/** Replaces the edge between the same nodes, or appends it. */
export function setEdge(definition: Definition, edge: Edge): Definition {
  const rest = definition.edges.filter((one) => !joinsSame(one, edge))
  const place = definition.edges.findIndex((one) => joinsSame(one, edge))
  return { ...definition, edges: place < 0 ? [...rest, edge] : rest.toSpliced(place, 0, edge) }
}

export function removeEdge(definition: Definition, source: string, target: string): Definition {
  return { ...definition, edges: definition.edges.filter((edge) => edge.source_node_name !== source || edge.target_node_name !== target) }
}

function joinsSame(a: Edge, b: Edge): boolean {
  return a.source_node_name === b.source_node_name && a.target_node_name === b.target_node_name
}

/** Renames a node or an input variable everywhere. */
export function rename(definition: Definition, from: string, to: string): Definition {
  const other = (name: string) => (name === from ? to : name)
  return {
    variables: Object.fromEntries(Object.entries(definition.variables).map(([name, type]) => [other(name), type])),
    nodes: definition.nodes.map((node) => ({
      ...node,
      name: other(node.name),
      dependencies: node.dependencies.map(other),
      configuration: renameSources(node.configuration, other),
    })),
    edges: definition.edges.map((edge) => ({
      ...edge,
      source_node_name: other(edge.source_node_name),
      target_node_name: other(edge.target_node_name),
      conditionals: edge.conditionals.map((one) => ({ ...one, left_config: renameOperand(one.left_config, other), right_config: renameOperand(one.right_config, other) })),
    })),
  }
}

function renameOperand(operand: Record<string, unknown>, other: (name: string) => string): Record<string, unknown> {
  const { source } = operand
  if (typeof source === 'string') return { ...operand, source: other(source) }
  if (typeof source === 'object' && source !== null && 'name' in source && typeof source.name === 'string') {
    return { ...operand, source: { ...source, name: other(source.name) } }
  }
  return operand
}

export function setVariable(definition: Definition, name: string, type: string): Definition {
  return { ...definition, variables: { ...definition.variables, [name]: type } }
}

/** Removes an input variable and the dependencies on it. */
export function removeVariable(definition: Definition, name: string): Definition {
  return {
    ...definition,
    variables: Object.fromEntries(Object.entries(definition.variables).filter(([one]) => one !== name)),
    nodes: definition.nodes.map((node) => ({ ...node, dependencies: node.dependencies.filter((one) => one !== name) })),
  }
}

/** An unused name derived from a word. */
export function freeName(definition: Definition, word: string): string {
  const taken = new Set([...definition.nodes.map((node) => node.name), ...Object.keys(definition.variables)])
  if (!taken.has(word)) return word
  for (let n = 2; ; n++) {
    if (!taken.has(`${word}_${n}`)) return `${word}_${n}`
  }
}
