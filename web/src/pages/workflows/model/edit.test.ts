import { describe, expect, it } from 'vitest'
import { edgeText } from './conditions'
import { changeConfiguration, freeName, removeNode, removeVariable, rename, setDependencies, setEdge } from './edit'
import { sample } from './fixture'

const find = (definition: ReturnType<typeof sample>, name: string) => definition.nodes.find((node) => node.name === name)

describe('edits', () => {
  it('renames a node everywhere', () => {
    const next = rename(sample(), 'long', 'is_long')
    expect(find(next, 'summary')?.dependencies).toEqual(['text', 'is_long'])
    expect(next.edges[0]?.source_node_name).toBe('is_long')
    expect(next.edges[0] && edgeText(next.edges[0])).toBe('= true')
    expect(JSON.stringify(next)).not.toContain('"long"')
  })

  it('renames a variable in configurations', () => {
    const next = rename(sample(), 'text', 'ticket')
    expect(next.variables).toEqual({ ticket: 'string' })
    expect(find(next, 'words')).toMatchObject({ configuration: { source: 'ticket' }, dependencies: ['ticket'] })
    expect(find(next, 'summary')?.configuration.prompt_template_variable_mappings).toEqual({ body: 'ticket' })
  })

  it('removes a node with its conditions and the dependencies on it', () => {
    const next = removeNode(sample(), 'long')
    expect(next.edges).toEqual([])
    expect(find(next, 'summary')?.dependencies).toEqual(['text'])
  })

  it('removes a variable', () => expect(find(removeVariable(sample(), 'text'), 'words')?.dependencies).toEqual([]))

  it('keeps dependencies in step with sources', () => {
    const next = changeConfiguration(sample(), 'words', { source: 'nowhere', type: 'words' })
    expect(find(next, 'words')?.dependencies).toEqual([])
    expect(find(changeConfiguration(next, 'words', { source: 'text', type: 'words' }), 'words')?.dependencies).toEqual(['text'])
  })

  it('keeps a dependency used by a condition', () => {
    const changed = changeConfiguration(sample(), 'summary', { template: { prompt_name: 'sum' } })
    expect(find(changed, 'summary')?.dependencies).toEqual(['long'])
  })

  it('drops conditions on removed dependencies', () => expect(setDependencies(sample(), 'summary', ['text']).edges).toEqual([]))

  it('replaces an edge in place', () => {
    const edge = { source_node_name: 'long', target_node_name: 'summary', is_and: false, conditionals: [] }
    expect(setEdge(sample(), edge).edges).toEqual([edge])
  })

  it('finds unused names', () => {
    expect(freeName(sample(), 'fresh')).toBe('fresh')
    expect(freeName(sample(), 'text')).toBe('text_2')
  })
})
