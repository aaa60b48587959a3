import type { Definition } from './definition'
import type { Problem } from './problems'
import { needsOf, sourcesOf } from './references'

/** Finds problems in the graph while it is edited. The server checks the rest when it is saved. */
export function checkDefinition(definition: Definition): Problem[] {
  const known = new Set([...definition.nodes.map((node) => node.name), ...Object.keys(definition.variables)])
  const problems: Problem[] = []
  for (const node of definition.nodes) {
    for (const name of node.dependencies) {
      if (!known.has(name)) problems.push({ node: node.name, message: `Depends on ${name}, which does not exist.` })
    }
    for (const name of sourcesOf(node.configuration)) {
      if (!known.has(name) && !node.dependencies.includes(name)) problems.push({ node: node.name, message: `Uses ${name}, which does not exist.` })
    }
  }
  const cycle = cycleOf(definition)
  if (cycle !== null) problems.push({ node: cycle[0] ?? null, message: `These nodes depend on each other: ${cycle.join(' → ')}.` })
  if (!definition.nodes.some((node) => node.is_output_node)) problems.push({ node: null, message: 'No output node. Mark the node whose value is the result as an output node.' })
  return problems
}

/** The names of nodes that form a cycle, or null. */
function cycleOf(definition: Definition): string[] | null {
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]))
  const done = new Set<string>()
  const visit = (name: string, way: string[]): string[] | null => {
    const node = nodes.get(name)
    if (node === undefined || done.has(name)) return null
    const place = way.indexOf(name)
    if (place >= 0) return [name, ...way.slice(place).reverse()]
    for (const needed of needsOf(node)) {
      const cycle = visit(needed, [...way, name])
      if (cycle !== null) return cycle
    }
    done.add(name)
    return null
  }
  for (const node of definition.nodes) {
    const cycle = visit(node.name, [])
    if (cycle !== null) return cycle
  }
  return null
}
