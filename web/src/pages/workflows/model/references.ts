import { isObject } from '@/lib/json'
import type { Configuration } from '@/step/step-type'
import type { Definition, Node } from './definition'

// The members of configurations that name sources. They are the same for all
// node types.
const single = new Set(['source', 'source1', 'source2', 'value_source', 'prompt_source', 'original_source', 'diff_source', 'chat_history_source', 'iterator_source', 'user_persona_source', 'conversation_completed_prompt_source'])
const mappings = new Set(['prompt_template_variable_mappings', 'variable_mappings', 'input_mappings'])
const nested = new Set(['prompt_config', 'workflow_config'])
// Names that a loop provides to its body.
const loopNames = new Set(['loop_index', 'previous_outputs', '_iterator_item'])

/** The nodes and input variables that a configuration uses. */
export function sourcesOf(configuration: Configuration): string[] {
  const found = new Set<string>()
  renameSources(configuration, (name) => {
    if (name !== '' && !loopNames.has(name)) found.add(name)
    return name
  })
  return [...found]
}

/** Returns the configuration with renamed sources. */
export function renameSources(configuration: Configuration, rename: (name: string) => string): Configuration {
  return mapMembers(configuration, (key, value) => {
    if (typeof value === 'string' && single.has(key)) return rename(value)
    if (key === 'sources' && Array.isArray(value)) return value.map((name: unknown) => (typeof name === 'string' ? rename(name) : name))
    if (isObject(value) && mappings.has(key)) return mapMembers(value, (_, name) => (typeof name === 'string' ? rename(name) : name))
    if (isObject(value) && nested.has(key)) return renameSources(value, rename)
    return value
  })
}

function mapMembers(object: Record<string, unknown>, change: (key: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]))
}

/** Everything a node waits for: its dependencies and the sources of its configuration. */
export function needsOf(node: Node): string[] {
  return [...new Set([...node.dependencies, ...sourcesOf(node.configuration)])]
}

/** The node and all nodes that depend on it, directly or indirectly. */
export function downstreamOf(definition: Definition, name: string): Set<string> {
  const users = new Map<string, string[]>()
  for (const node of definition.nodes) {
    for (const needed of needsOf(node)) users.set(needed, [...(users.get(needed) ?? []), node.name])
  }
  const found = new Set([name])
  // Iterating over a set includes elements added during the iteration.
  for (const next of found) users.get(next)?.forEach((user) => found.add(user))
  return found
}

/** The nodes in topological order; those of a cycle come last. */
export function inOrder(definition: Definition): Node[] {
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]))
  const ordered: Node[] = []
  const seen = new Set<string>()
  const visit = (node: Node) => {
    if (seen.has(node.name)) return
    seen.add(node.name)
    for (const name of needsOf(node)) {
      const needed = nodes.get(name)
      if (needed !== undefined) visit(needed)
    }
    ordered.push(node)
  }
  definition.nodes.forEach(visit)
  return ordered
}
