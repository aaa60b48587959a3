import type { Configuration, Place, StepType } from './step-type'
import { types } from './vocabulary'

export { groups } from './vocabulary'

/** The types of nodes by their names in the API. */
export const nodeTypes: Record<string, StepType> = Object.fromEntries(types.map((type) => [type.name, type]))

/** The types that can run in a place. Others are not offered, but those in use are still shown. */
export function typesIn(place: Place): StepType[] {
  return types.filter(({ not_in }: StepType) => !not_in?.includes(place))
}

export function typeLabel(type: string): string {
  return nodeTypes[type]?.label ?? type
}

/** The configuration of a new node that follows a value. If it needs a second value, that is another one. */
export function initialConfiguration(type: string, source: string, other = source): Configuration {
  return replaceSource(nodeTypes[type]?.initial ?? {}, source, other) as Configuration
}

function replaceSource(value: unknown, source: string, other: string): unknown {
  if (value === '$source') return source
  if (Array.isArray(value)) return value.map((one, at) => replaceSource(one, at === 0 ? source : other, other))
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceSource(one, source, other)]))
  return value
}

/** A word to name a new node of a type with. */
export function nameFor(type: string): string {
  return type.toLowerCase().replace(/_(template|execution|columns|operator)$/, '')
}
