import { describe, expect, it } from 'vitest'
import { diffDefinitions, summarize } from './diff'
import { changeNode, removeNode, setVariable, addNode } from './edit'
import { nodeOf, sample } from './fixture'

describe('diffDefinitions', () => {
  it('finds no differences', () => {
    const diff = diffDefinitions(sample(), sample())
    expect(diff.same).toBe(true)
    expect(summarize(diff)).toBe('no differences')
  })

  it('reports the change of each node', () => {
    const after = setVariable(addNode(removeNode(changeNode(sample(), 'words', { is_output_node: true }), 'long'), nodeOf('fresh')), 'more', 'string')
    const diff = diffDefinitions(sample(), after)
    expect(diff.nodes.map(({ name, kind, parts }) => [name, kind, parts])).toEqual([
      ['words', 'changed', ['output']], ['summary', 'changed', ['dependencies']], ['answer', 'unchanged', []], ['fresh', 'added', []], ['long', 'removed', []],
    ])
    expect(summarize(diff)).toBe('1 node added, 2 changed, 1 removed, conditions, input variables')
  })
})
