import { isObject } from '@/lib/json'
import type { Json } from './parts'

/** A parameter of a function for display. */
export interface Parameter {
  /** The full path: address.street, items[].price. */
  path: string
  type: string
  required: boolean
  description: string
  choices: string[]
  depth: number
}

const deepest = 6

/** The parameters of a JSON schema, in their order. */
export function parametersOf(schema: Json, prefix = '', depth = 0): Parameter[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  if (depth > deepest) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = isObject(property) ? property : {}
    const items = isObject(own.items) ? own.items : {}
    const path = prefix + name
    const parameter = { path, type: typeOf(own), required: required.includes(name), description: text(own.description), choices: choicesOf(own), depth }
    return [parameter, ...parametersOf(own, path + '.', depth + 1), ...parametersOf(items, path + '[].', depth + 1)]
  })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function typeOf(schema: Json): string {
  if (Array.isArray(schema.type)) return schema.type.filter((one) => one !== 'null').join(' or ') || 'null'
  if (schema.type === 'array' && isObject(schema.items)) return `list of ${typeOf(schema.items)}`
  if (typeof schema.type === 'string') return schema.type
  if (Array.isArray(schema.enum)) return 'choice'
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (options) return [...new Set(options.filter(isObject).map(typeOf))].join(' or ')
  return isObject(schema.properties) ? 'object' : 'any'
}

function choicesOf(schema: Json): string[] {
  return Array.isArray(schema.enum) ? schema.enum.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))) : []
}

/** The control for an argument. */
export type Control = 'choice' | 'switch' | 'number' | 'text' | 'json'

export interface Argument {
  name: string
  control: Control
  type: string
  required: boolean
  description: string
  choices: unknown[]
  whole: boolean
  begin: string
}

/** The top-level arguments; nested ones are edited as JSON. */
export function argumentsOf(schema: Json): Argument[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const own = isObject(property) ? property : {}
    const begin = own.default === undefined ? '' : typeof own.default === 'string' ? own.default : JSON.stringify(own.default)
    return { name, control: controlOf(own), type: typeOf(own), required: required.includes(name), description: text(own.description), choices: Array.isArray(own.enum) ? own.enum : [], whole: own.type === 'integer', begin }
  })
}

function controlOf(schema: Json): Control {
  if (Array.isArray(schema.enum)) return 'choice'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  return schema.type === 'string' ? 'text' : 'json'
}

/** Parses the typed arguments. Empty ones are omitted; invalid ones are reported as problems. */
export function inputsOf(list: Argument[], typed: Record<string, string>): { inputs: Json; problems: Record<string, string> } {
  const inputs: Json = {}
  const problems: Record<string, string> = {}
  for (const argument of list) {
    const value = typed[argument.name] ?? argument.begin
    if (value === '') {
      if (argument.required) problems[argument.name] = 'This argument is required.'
      continue
    }
    const read = readArgument(argument, value)
    if (read.problem === undefined) inputs[argument.name] = read.value
    else problems[argument.name] = read.problem
  }
  return { inputs, problems }
}

function readArgument({ control, choices, whole }: Argument, value: string): { value?: unknown; problem?: string } {
  if (control === 'text') return { value }
  if (control === 'switch') return { value: value === 'true' }
  if (control === 'choice') return { value: choices.find((choice) => String(choice) === value) ?? value }
  if (control === 'number') {
    const number = Number(value)
    if (value.trim() === '' || !Number.isFinite(number)) return { problem: 'Enter a number.' }
    return whole && !Number.isInteger(number) ? { problem: 'Enter a whole number.' } : { value: number }
  }
  try {
    return { value: JSON.parse(value) as unknown }
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
