import { describe, expect, it } from 'vitest'
import { definitionOf, type Version } from './definition'

const version = {
  workflow_id: 1, workflow_name: 'w', version_number: 2,
  nodes: [{ id: 7, name: 'a', node_type: 'COUNT', is_output_node: true, configuration: { source: 'text' }, dependencies: ['text'] }],
  edges: [{ id: 8, source_node_name: 'a', target_node_name: 'b', is_and: true, conditionals: [{ position: 0, operator: '>', left_config: {}, right_config: {} }, { position: 1, operator: 'like', left_config: {}, right_config: {} }] }],
  required_input_variables: { text: 'string', size: null },
} as unknown as Version

describe('definitionOf', () => {
  it('drops what the server adds', () => {
    expect(definitionOf(version).nodes).toEqual([{ name: 'a', node_type: 'COUNT', is_output_node: true, configuration: { source: 'text' }, dependencies: ['text'], retries: 0 }])
    expect(Object.keys(definitionOf(version).edges[0] ?? {})).toEqual(['source_node_name', 'target_node_name', 'is_and', 'conditionals'])
  })

  it('keeps known operators and replaces unknown ones', () => expect(definitionOf(version).edges[0]?.conditionals.map(({ operator }) => operator)).toEqual(['>', '=']))

  it('reads the types of variables as text', () => expect(definitionOf(version).variables).toEqual({ text: 'string', size: 'null' }))
})
