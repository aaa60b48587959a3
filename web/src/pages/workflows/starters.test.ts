import { describe, expect, it } from 'vitest'
import { formShows } from '@/step/fields'
import { nodeTypes } from '@/step/node-types'
import { checkDefinition } from './model/check'
import { needsOf } from './model/references'
import { starters } from './starters'

describe.each(starters)('the starter $label', ({ definition }) => {
  it('is valid', () => expect(checkDefinition(definition)).toEqual([]))

  it('runs without a provider', () => {
    for (const { name, node_type } of definition.nodes) expect([name, nodeTypes[node_type]?.group]).not.toEqual([name, 'Models'])
  })

  it('declares all dependencies', () => {
    for (const node of definition.nodes) expect([...needsOf(node)].filter((name) => !node.dependencies.includes(name))).toEqual([])
  })

  it('can be edited in forms', () => {
    const generated = definition.nodes.filter(({ node_type }) => nodeTypes[node_type]?.form === undefined)
    for (const { node_type, configuration } of generated) expect([node_type, formShows(node_type, configuration)]).toEqual([node_type, true])
  })
})
