import { isObject } from '@/lib/json'
import type { Execution, Tool } from '../data'

/** A version in the editor, as text, because it may not be valid JSON yet. */
export interface Parts {
  definition: string
  /** Null for a tool that the registry cannot run. */
  execution: Execution | null
  /** Empty for none. */
  schema: string
}

export type Json = Record<string, unknown>

export function partsOf({ version }: Pick<Tool, 'version'>): Parts {
  return {
    definition: write(version.tool_definition),
    execution: version.execution,
    schema: isObject(version.response_schema) ? write(version.response_schema) : '',
  }
}

export function write(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Parses a JSON object; the problem is a message for the user. */
export function readObject(text: string): { value: Json; problem: null } | { value: null; problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { value, problem: null } : { value: null, problem: 'Must be a JSON object.' }
  } catch (error) {
    return { value: null, problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

export function sameParts(a: Parts, b: Parts): boolean {
  return a.definition === b.definition && a.schema.trim() === b.schema.trim() && a.execution?.code === b.execution?.code && a.execution?.language === b.execution?.language
}

export interface FunctionParts {
  name: string
  description: string
  parameters: Json
  strict: boolean
}

/** The function that a definition describes, or null if it has another format. */
export function functionOf(definition: Json): FunctionParts | null {
  const inner = definition.function
  if (!isObject(inner)) return null
  return {
    name: typeof inner.name === 'string' ? inner.name : '',
    description: typeof inner.description === 'string' ? inner.description : '',
    parameters: isObject(inner.parameters) ? inner.parameters : {},
    strict: inner.strict === true,
  }
}

/** The definition with one member of its function changed. */
export function withFunction(definition: Json, changes: Partial<FunctionParts>): Json {
  return { ...definition, function: { ...(isObject(definition.function) ? definition.function : {}), ...changes } }
}

/** The initial version of a new tool. */
export function starter(name: string, description: string): { definition: Json; execution: Execution } {
  return {
    definition: {
      type: 'function',
      function: { name: functionName(name), description, parameters: { type: 'object', properties: { text: { type: 'string', description: 'The text to process' } }, required: ['text'] } },
    },
    execution: { type: 'code', language: 'javascript', code: '// args contains the arguments from the model.\nreturn {length: args.text.length}\n' },
  }
}

/** A name that models can call: letters, digits, _ and -. */
export function functionName(name: string): string {
  return name.trim().replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 64) || 'tool'
}
