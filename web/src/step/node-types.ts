import type { Configuration, StepType } from './step-type'
import { types } from './vocabulary'

export { groups } from './vocabulary'

/** The types of nodes by their names in the API. */
export const nodeTypes: Record<string, StepType> = Object.fromEntries(types.map((type) => [type.name, type]))

export function typeLabel(type: string): string {
  return nodeTypes[type]?.label ?? type
}

/** The configuration of a new node that follows a value. */
export function initialConfiguration(type: string, source: string): Configuration {
  return replaceSource(nodeTypes[type]?.initial ?? {}, source) as Configuration
}

function replaceSource(value: unknown, source: string): unknown {
  if (value === '$source') return source
  if (Array.isArray(value)) return value.map((one) => replaceSource(one, source))
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceSource(one, source)]))
  return value
}

/** A word to name a new node of a type with. */
export function nameFor(type: string): string {
  return type.toLowerCase().replace(/_(template|execution|columns|operator)$/, '')
}
