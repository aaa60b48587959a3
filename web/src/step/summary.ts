import { isObject } from '@/lib/json'
import { offered, readField } from './fields'
import { nodeTypes } from './node-types'
import type { Configuration, FieldSpec } from './step-type'

/** What a node does with what, in a few words for the graph: the summary of its type, filled in. */
export function summaryOf({ node_type, configuration }: { node_type: string; configuration: Configuration }): string {
  const type = nodeTypes[node_type]
  if (type === undefined) return ''
  const read = (name: string) => {
    const field = type.fields.find((one) => one.name === name)
    return field === undefined ? '' : shownField(field, readField(configuration, field).value)
  }
  return type.summary
    .replace(/\{([^}]*)\}/g, (_, names: string) => {
      const [list = '', joint] = names.split('/')
      if (joint !== undefined) return joined(configuration[list], read(joint))
      return list.split('|').map(read).find((text) => text !== '') ?? ''
    })
    .trim()
}

/** The names of a list with a word between them, or behind a single one. */
function joined(list: unknown, word: string): string {
  const names = Array.isArray(list) ? list.map(String) : []
  return names.length === 1 ? `${String(names[0])} ${word}` : names.join(` ${word} `)
}

function shownField(field: FieldSpec, value: unknown): string {
  if (value === undefined || value === null) return ''
  switch (field.kind) {
    case 'choice':
      return offered(field).find((choice) => choice.value === value)?.label ?? String(value)
    case 'sources':
    case 'texts':
      return Array.isArray(value) ? value.map(String).join(', ') : ''
    case 'long':
      return firstLine(String(value))
    case 'text':
    case 'url':
      return String(value).replace(/^https?:\/\//, '')
    case 'json':
      return shownJSON(value)
    default:
      return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  }
}

/** A value of any shape: a reference to a prompt by its name, a typed value by its value. */
function shownJSON(value: unknown): string {
  if (!isObject(value)) return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const { prompt_name, name, id, label, version_number } = value
  const named = prompt_name ?? name ?? id
  if (named !== undefined) {
    const which = label !== undefined && label !== null ? ` · ${String(label)}` : version_number !== undefined && version_number !== null ? ` · v${String(version_number)}` : ''
    return String(named) + which
  }
  return 'value' in value ? (JSON.stringify(value.value) ?? '') : (JSON.stringify(value) ?? '')
}

function firstLine(text: string): string {
  return text.split('\n').map((line) => line.trim()).find((line) => line !== '' && !/^(\/\/|#)/.test(line)) ?? ''
}
