import { readTyped } from './conditions'

type InputKind = 'text' | 'number' | 'boolean' | 'json'

const kinds: Record<string, InputKind> = {
  number: 'number', int: 'number', integer: 'number', float: 'number', bool: 'boolean', boolean: 'boolean', object: 'json', json: 'json', array: 'json', list: 'json', dict: 'json', any: 'json',
}

/** The control for a variable. Its type is free text; unknown types are text. */
export function inputKind(type: string): InputKind {
  return kinds[type.trim().toLowerCase()] ?? 'text'
}

/** Parses the typed values. Empty fields are omitted, unless they are text. */
export function readInputs(variables: Record<string, string>, typed: Record<string, string>): { values: Record<string, unknown>; problems: Record<string, string> } {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, type] of Object.entries(variables)) {
    const text = typed[name] ?? ''
    const kind = inputKind(type)
    if (kind === 'text') {
      values[name] = text
    } else if (text.trim() !== '') {
      const value = readTyped(text)
      if (kind === 'number' && typeof value !== 'number') problems[name] = 'Enter a number.'
      else if (kind === 'json' && typeof value === 'string' && !text.trim().startsWith('"')) problems[name] = 'Invalid JSON.'
      else values[name] = value
    }
  }
  return { values, problems }
}

/** The initial texts, from the values of an earlier run. */
export function writeInputs(variables: Record<string, string>, values: Record<string, unknown>): Record<string, string> {
  const typed: Record<string, string> = {}
  for (const [name, type] of Object.entries(variables)) {
    const value = values[name]
    if (value === undefined || value === null) typed[name] = ''
    else if (inputKind(type) === 'json') typed[name] = JSON.stringify(value, null, 2)
    else typed[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return typed
}
