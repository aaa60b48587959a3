type Value = unknown

/**
 * The part of an OpenAPI document at a path, with its references replaced by
 * what they lead to. Swagger UI's own resolver walks the whole document for
 * every operation that is opened, which takes half a minute with ours. A schema
 * inside itself is only named.
 */
export function resolveSubtree(document: Value, path: string[]): Value {
  const open: string[] = []

  const walk = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { $ref: reference, ...others } = value as Record<string, Value>
    const members = Object.fromEntries(Object.entries(others).map(([key, member]) => [key, walk(member)]))
    if (typeof reference !== 'string') return reference === undefined ? members : { $ref: walk(reference), ...members }
    return { ...target(reference), ...members }
  }

  const target = (reference: string): Record<string, Value> => {
    const steps = reference.slice(2).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const title = steps.at(-1)
    if (open.includes(reference)) return { type: 'object', title, description: `Another ${title}.` }
    open.push(reference)
    const found = walk(at(document, steps)) as Record<string, Value>
    open.pop()
    return reference.startsWith('#/components/schemas/') ? { title, ...found } : found
  }

  return walk(at(document, path))
}

function at(value: Value, path: string[]): Value {
  return path.reduce((inner, step) => (inner as Record<string, Value> | undefined)?.[step], value)
}
