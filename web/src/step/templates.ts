import type { Configuration, Template } from './step-type'
import { templates } from './vocabulary'

export { templates }

/** The configuration of a template for a value. Other values are those with similar names; unknown ones are left to be chosen. */
export function fillTemplate({ configuration }: Template, source: string, names: string[]): Configuration {
  const others = names.filter((name) => name !== source)
  const fill = (value: unknown): unknown => {
    if (value === '$source') return source
    if (typeof value === 'string' && value.startsWith('$')) return closest(value.slice(1), others)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]))
    return value
  }
  return fill(configuration) as Configuration
}

function closest(wanted: string, names: string[]): string {
  return names.find((name) => name.toLowerCase() === wanted) ?? names.find((name) => name.toLowerCase().includes(wanted)) ?? ''
}
