import type { Definition } from './definition'

export interface Problem {
  /** The affected node, or null for the whole definition. */
  node: string | null
  message: string
}

/** Finds the nodes named in the server's errors. An ApiError has the problems by path. */
export function problemsOf({ message, problems = [] }: { message: string; problems?: string[] }, definition: Definition): Problem[] {
  if (problems.length > 0) return problems.map((problem) => ({ node: nodeAtPath(problem, definition), message: problem }))
  return [{ node: nodeNamed(message, definition), message }]
}

// A path such as nodes.summary.configuration or nodes.3.name.
function nodeAtPath(message: string, definition: Definition): string | null {
  const inside = /^nodes\.(.*)$/s.exec(message)?.[1]
  if (inside === undefined) return null
  const index = /^(\d+)[.:]/.exec(inside)?.[1]
  const named = longest(definition.nodes.map(({ name }) => name).filter((name) => inside.startsWith(name + '.') || inside.startsWith(name + ':')))
  return named ?? (index === undefined ? null : (definition.nodes[Number(index)]?.name ?? null))
}

function nodeNamed(message: string, definition: Definition): string | null {
  const names = definition.nodes.map(({ name }) => name)
  const quoted = longest(names.filter((name) => new RegExp(`\\bnode '${escape(name)}'`, 'i').test(message)))
  if (quoted !== null) return quoted
  const edge = /^Edge (.*?): /s.exec(message)?.[1]
  if (edge !== undefined) return longest(names.filter((name) => edge.endsWith(` -> ${name}`)))
  const cycle = /^Workflow contains a cycle: (.*)$/s.exec(message)?.[1]
  if (cycle !== undefined) return longest(names.filter((name) => cycle.startsWith(`${name} -> `)))
  const duplicate = /^Duplicate node name: (.*)$/s.exec(message)?.[1]
  if (duplicate !== undefined) return duplicate
  const type = /^Invalid node type: (.*)$/s.exec(message)?.[1]
  return definition.nodes.find((node) => node.node_type === type)?.name ?? null
}

function longest(names: string[]): string | null {
  return names.reduce<string | null>((best, name) => (best === null || name.length > best.length ? name : best), null)
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
