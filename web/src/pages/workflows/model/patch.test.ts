import { describe, expect, it } from 'vitest'
import { changeNode, removeNode, rename, setVariable } from './edit'
import { sample } from './fixture'
import { patchBetween } from './patch'

describe('patchBetween', () => {
  it('is empty for equal definitions', () => expect(patchBetween(sample(), sample())).toEqual({}))

  it('contains only the changes of a node', () => {
    const after = changeNode(sample(), 'long', { configuration: { sources: ['words'], operator: 'gt', value: 9 } })
    expect(patchBetween(sample(), after)).toEqual({ nodes: { long: { configuration: { value: 9 } } } })
  })

  it('contains changed retries', () => {
    expect(patchBetween(sample(), changeNode(sample(), 'summary', { retries: 2 }))).toEqual({ nodes: { summary: { retries: 2 } } })
  })

  it('removes and adds for a rename, and includes the edges', () => {
    const patch = patchBetween(sample(), rename(sample(), 'long', 'is_long'))
    expect(patch?.nodes?.long).toBeNull()
    expect(patch?.nodes?.is_long).toMatchObject({ node_type: 'MATH_OPERATOR' })
    expect(patch?.edges).toHaveLength(1)
  })

  it('replaces all variables', () => {
    expect(patchBetween(sample(), setVariable(sample(), 'more', 'number'))).toEqual({ required_input_variables: { text: 'string', more: 'number' } })
  })

  it('is explicit when no edge is left', () => expect(patchBetween(sample(), removeNode(sample(), 'long'))?.edges).toEqual([]))

  it('cannot remove a member', () => {
    expect(patchBetween(sample(), changeNode(sample(), 'long', { configuration: { sources: ['words'], operator: 'gt' } }))).toBeNull()
    const nested = { template: { label: 'prod' }, prompt_template_variable_mappings: { body: 'text' } }
    expect(patchBetween(sample(), changeNode(sample(), 'summary', { configuration: nested }))).toBeNull()
  })
})
