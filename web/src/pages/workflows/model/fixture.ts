import { newConditional } from './conditions'
import type { Definition, Node } from './definition'

export function nodeOf(name: string, change: Partial<Node> = {}): Node {
  return { name, node_type: 'COUNT', is_output_node: false, configuration: { source: 'text', type: 'words' }, dependencies: ['text'], retries: 0, ...change }
}

/** text → words → long ⇢ summary → answer, for tests. */
export function sample(): Definition {
  return {
    variables: { text: 'string' },
    nodes: [
      nodeOf('words'),
      nodeOf('long', { node_type: 'MATH_OPERATOR', configuration: { sources: ['words'], operator: 'gt', value: 8 }, dependencies: ['words'] }),
      nodeOf('summary', { node_type: 'PROMPT_TEMPLATE', configuration: { template: { prompt_name: 'sum' }, prompt_template_variable_mappings: { body: 'text' } }, dependencies: ['text', 'long'] }),
      nodeOf('answer', { node_type: 'COALESCE', configuration: { sources: ['summary', 'text'] }, dependencies: ['summary'], is_output_node: true }),
    ],
    edges: [{ source_node_name: 'long', target_node_name: 'summary', is_and: true, conditionals: [newConditional('long', 0)] }],
  }
}
