import { describe, expect, it } from 'vitest'
import { checkDefinition } from './check'
import { changeNode } from './edit'
import { nodeOf, sample } from './fixture'
import { problemsOf } from './problems'

const definition = { ...sample(), nodes: [...sample().nodes, nodeOf("it's: odd.one"), nodeOf('words.more')] }

describe('problemsOf', () => {
  it.each([
    ["Invalid configuration for node 'long': operator: Field required", 'long'],
    ["Node 'summary' depends on unknown node or input variable 'words'", 'summary'],
    ["Node 'it's: odd.one' references unknown source 'x'", "it's: odd.one"],
    ["Edge long -> summary: 'long' must be one of the dependencies of 'summary'", 'summary'],
    ['Workflow contains a cycle: words -> long -> words', 'words'],
    ['Invalid node type: COALESCE', 'answer'],
    ['At least one node must be an output node', null],
  ])('%s', (message, node) => expect(problemsOf({ message }, definition)).toEqual([{ node, message }]))

  it('finds nodes by path', () => {
    const problems = ['nodes.words.more.dependencies: wrong', 'nodes.1.name: too long', 'release_labels.0: empty']
    expect(problemsOf({ message: 'x', problems }, definition).map(({ node }) => node)).toEqual(['words.more', 'long', null])
  })
})

describe('checkDefinition', () => {
  it('finds no problems', () => expect(checkDefinition(sample())).toEqual([]))

  it('finds missing names', () => {
    const wrong = changeNode(sample(), 'words', { configuration: { source: 'gone' }, dependencies: ['lost'] })
    expect(checkDefinition(wrong).map(({ node }) => node)).toEqual(['words', 'words'])
  })

  it('finds a cycle and a missing output', () => {
    const wrong = changeNode(changeNode(sample(), 'words', { dependencies: ['answer'] }), 'answer', { is_output_node: false })
    const messages = checkDefinition(wrong).map(({ message }) => message)
    expect(messages[0]).toContain('words → long → summary → answer → words')
    expect(messages[1]).toContain('No output node')
  })
})
