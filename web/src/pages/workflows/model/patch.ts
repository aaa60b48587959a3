import type { Schemas } from '@/api/client'
import { isObject, same } from '@/lib/json'
import type { Configuration } from '@/step/step-type'
import type { Definition, Node } from './definition'

type Patch = Pick<Schemas['PatchWorkflowRequest'], 'nodes' | 'edges' | 'required_input_variables'>

/**
 * The patch that turns one definition into another, or null if there is none: a
 * patch merges configurations, so it cannot remove a member. Then the whole
 * definition must be sent.
 */
export function patchBetween(before: Definition, after: Definition): Patch | null {
  const nodes = changedNodes(before.nodes, after.nodes)
  if (nodes === null) return null
  const patch: Patch = {}
  if (Object.keys(nodes).length > 0) patch.nodes = nodes
  if (!same(before.edges, after.edges)) patch.edges = after.edges
  if (!same(Object.entries(before.variables), Object.entries(after.variables))) patch.required_input_variables = after.variables
  return patch
}

function changedNodes(before: Node[], after: Node[]): NonNullable<Patch['nodes']> | null {
  const changes: NonNullable<Patch['nodes']> = {}
  const old = new Map(before.map((node) => [node.name, node]))
  const kept = new Set(after.map((node) => node.name))
  for (const name of old.keys()) {
    if (!kept.has(name)) changes[name] = null
  }
  for (const node of after) {
    const { name, ...content } = node
    const was = old.get(name)
    if (was === undefined) {
      changes[name] = content
    } else if (!same(was, node)) {
      if (!mergesInto(was.configuration, node.configuration)) return null
      changes[name] = changeOf(was, node)
    }
  }
  return changes
}

function changeOf(was: Node, node: Node) {
  return {
    ...(was.node_type === node.node_type ? {} : { node_type: node.node_type }),
    ...(was.is_output_node === node.is_output_node ? {} : { is_output_node: node.is_output_node }),
    ...(was.retries === node.retries ? {} : { retries: node.retries }),
    ...(same(was.dependencies, node.dependencies) ? {} : { dependencies: node.dependencies }),
    ...(same(was.configuration, node.configuration) ? {} : { configuration: changedMembers(was.configuration, node.configuration) }),
  }
}

/** Reports whether merging the new configuration into the old one gives the new one. */
function mergesInto(was: Configuration, now: Configuration): boolean {
  return Object.entries(was).every(([key, value]) => {
    if (!(key in now)) return false
    const next = now[key]
    return !isObject(value) || !isObject(next) || mergesInto(value, next)
  })
}

function changedMembers(was: Configuration, now: Configuration): Configuration {
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => !(key in was) || !same(was[key], value)))
}

/** The complete definition for a new version of a workflow. */
export function wholeOf(definition: Definition) {
  return { nodes: definition.nodes, edges: definition.edges, required_input_variables: definition.variables }
}
