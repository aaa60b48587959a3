import { isObject } from '@/lib/json'
import { nodeTypes } from './node-types'
import type { Configuration, FieldSpec } from './step-type'

type Named = Pick<FieldSpec, 'name' | 'aliases'>

/** The members that the form of a type shows. All others are edited as JSON. */
export function formFields(type: string): FieldSpec[] {
  const spec = nodeTypes[type]
  return spec === undefined || spec.form !== undefined ? [] : plainFields(type)
}

/** The members that a control for one field can show. */
export function plainFields(type: string): FieldSpec[] {
  return nodeTypes[type]?.fields.filter((field) => field.kind !== 'json') ?? []
}

/** The value of a field and the name under which it is given. */
export function readField(configuration: Configuration, { name, aliases = [] }: Named): { key: string; value: unknown } {
  const key = [name, ...aliases].find((one) => configuration[one] !== undefined && configuration[one] !== null) ?? name
  return { key, value: configuration[key] }
}

/** The configuration with another value of a field; `undefined` removes the member. */
export function writeField(configuration: Configuration, field: Named, value: unknown): Configuration {
  const { key } = readField(configuration, field)
  if (value !== undefined) return { ...configuration, [key]: value }
  return Object.fromEntries(Object.entries(configuration).filter(([one]) => !isNamed(field, one)))
}

function isNamed({ name, aliases = [] }: Named, key: string): boolean {
  return key === name || aliases.includes(key)
}

/** Whether a form shows a configuration in full. Other members are edited as JSON. */
export function formShows(type: string, configuration: Configuration): boolean {
  return fieldsShow(formFields(type), configuration)
}

/** Whether controls for the fields show a configuration in full. */
export function fieldsShow(fields: FieldSpec[], configuration: Configuration): boolean {
  if (fields.length === 0) return false
  return Object.entries(configuration).every(([key, value]) => {
    const field = fields.find((one) => isNamed(one, key))
    return field !== undefined && (value === null || fits(field, value))
  })
}

function fits(field: FieldSpec, value: unknown): boolean {
  switch (field.kind) {
    case 'sources':
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'mapping':
    case 'headers':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
    case 'choice':
      return offered(field).some((choice) => choice.value === value)
    default:
      return typeof value === 'string'
  }
}

/** The choices that a form offers. */
export function offered(field: FieldSpec): { value: string; label: string }[] {
  return (field.choices ?? []).flatMap(({ value, label }) => (label === undefined ? [] : [{ value, label }]))
}

/** The lines of a text that are not blank, each once. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()).filter((line) => line !== ''))]
}
