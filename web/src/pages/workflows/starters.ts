import type { Conditional, Definition, Node } from './model/definition'
import { newConditional } from './model/conditions'

interface Starter {
  value: string
  label: string
  about: string
  definition: Definition
}

const step = (name: string, node_type: string, configuration: Node['configuration'], dependencies: string[], is_output_node = false): Node => ({ name, node_type, configuration, dependencies, is_output_node, retries: 0 })
const isFalse = (source: string): Conditional => ({ ...newConditional(source, 0), right_config: { type: 'static_value', static_value: false } })

/** The starters of a new workflow. All of them run without a provider. */
export const starters: Starter[] = [
  {
    value: 'step',
    label: 'One step',
    about: 'An input and a code node that returns it.',
    definition: {
      variables: { text: 'string' },
      nodes: [step('answer', 'CODE_EXECUTION', { language: 'JAVASCRIPT', code: 'return data.text.trim()' }, ['text'], true)],
      edges: [],
    },
  },
  {
    value: 'branches',
    label: 'Two branches',
    about: 'A check decides which of two nodes runs. Then the branches join.',
    definition: {
      variables: { text: 'string' },
      nodes: [
        step('is_question', 'REGEX', { source: 'text', regex_pattern: '\\?\\s*$' }, ['text']),
        step('reply', 'VARIABLE', { value: { type: 'string', value: 'This is a question.' } }, ['is_question']),
        step('note', 'VARIABLE', { value: { type: 'string', value: 'This is not a question.' } }, ['is_question']),
        step('answer', 'COALESCE', { sources: ['reply', 'note'] }, ['reply', 'note'], true),
      ],
      edges: [
        { source_node_name: 'is_question', target_node_name: 'reply', is_and: true, conditionals: [newConditional('is_question', 0)] },
        { source_node_name: 'is_question', target_node_name: 'note', is_and: true, conditionals: [isFalse('is_question')] },
      ],
    },
  },
  {
    value: 'extract',
    label: 'Extract and count',
    about: 'Finds matches in a text and counts them.',
    definition: {
      variables: { text: 'string' },
      nodes: [
        step('links', 'REGEX_EXTRACTION', { source: 'text', regex_pattern: 'https?://\\S+' }, ['text']),
        step('words', 'COUNT', { source: 'text', type: 'words' }, ['text']),
        step('report', 'COMBINE_COLUMNS', { sources: ['links', 'words'] }, ['links', 'words'], true),
      ],
      edges: [],
    },
  },
]
