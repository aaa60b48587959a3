import { describe, expect, it } from 'vitest'
import { edgeText, newConditional, readOperand, readTyped, writeTyped } from './conditions'
import { sample } from './fixture'
import { readInputs, writeInputs } from './inputs'
import { withUnderWay } from './live'
import { downstreamOf, inOrder, sourcesOf } from './references'

describe('conditions', () => {
  it('reads both formats of a source', () => {
    expect(readOperand({ source: 'a' })).toEqual({ kind: 'source', name: 'a' })
    expect(readOperand({ type: 'source', source: { name: 'a' } })).toEqual({ kind: 'source', name: 'a' })
    expect(readOperand({ static_value: 0 })).toEqual({ kind: 'value', value: 0 })
  })

  it('describes an edge', () => {
    const conditionals = [newConditional('a', 0), { ...newConditional('b', 1), operator: 'is_null' as const }]
    expect(edgeText({ source_node_name: 'a', target_node_name: 'c', is_and: false, conditionals })).toBe('= true or b is null')
  })

  it.each([true, 12, 'twelve', '12', '', null, { a: [1] }])('formats %j so that it can be parsed again', (value) => expect(readTyped(writeTyped(value))).toEqual(value))
})

describe('inputs', () => {
  const variables = { name: 'string', size: 'number', flag: 'boolean', list: 'array' }

  it('parses by type', () => {
    expect(readInputs(variables, { name: '12', size: '12', flag: 'true', list: '[1]' })).toEqual({ values: { name: '12', size: 12, flag: true, list: [1] }, problems: {} })
    expect(Object.keys(readInputs(variables, { size: 'many', list: 'a, b' }).problems)).toEqual(['size', 'list'])
    expect(readInputs(variables, {}).values).toEqual({ name: '' })
  })

  it('restores earlier values', () => {
    const values = { name: 'x', size: 2, flag: false, list: ['a'] }
    expect(readInputs(variables, writeInputs(variables, values)).values).toEqual(values)
  })
})

describe('references', () => {
  it('finds sources anywhere in a configuration', () => {
    expect(sourcesOf({ sources: ['a', 'b'], workflow_config: { input_mappings: { x: 'c', y: 'loop_index' } }, iterator_source: 'd', value: 'e' })).toEqual(['a', 'b', 'c', 'd'])
  })

  it('follows the graph', () => {
    expect([...downstreamOf(sample(), 'long')]).toEqual(['long', 'summary', 'answer'])
    expect(inOrder({ ...sample(), nodes: sample().nodes.toReversed() }).map(({ name }) => name)).toEqual(['words', 'long', 'summary', 'answer'])
  })

  it('reports which nodes are running', () => {
    const state = (status: 'QUEUED' | 'SUCCESS') => ({ status, value: null, error_message: null, raw_error_message: null, is_output_node: false })
    const shown = withUnderWay(sample(), { words: state('SUCCESS'), long: state('QUEUED'), summary: state('QUEUED'), answer: state('QUEUED') })
    expect(Object.values(shown).map(({ status }) => status)).toEqual(['SUCCESS', 'RUNNING', 'QUEUED', 'QUEUED'])
  })
})
