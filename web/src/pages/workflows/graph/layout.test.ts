import { describe, expect, it } from 'vitest'
import { sample } from '../model/fixture'
import { layOut, smoothPath } from './layout'

describe('layOut', () => {
  it('places each node below what it needs and joins them', () => {
    const { nodes, edges } = layOut(sample())
    const y = Object.fromEntries(nodes.map((node) => [node.id, node.y]))
    for (const { source, target } of edges) expect(y[source]).toBeLessThan(y[target] ?? 0)
    expect(edges.map(({ id, label }) => [id, label])).toContainEqual(['n:long→n:summary', '= true'])
    expect(nodes[0]?.node).toBeNull()
  })

  it('draws cycles and what points nowhere without failing', () => {
    const definition = sample()
    definition.nodes[0]?.dependencies.push('answer', 'nowhere')
    expect(layOut(definition).nodes).toHaveLength(5)
  })
})

describe('smoothPath', () => {
  it('bends towards the points between', () => {
    expect(smoothPath([{ x: 0, y: 0 }, { x: 0, y: 10 }])).toBe('M0,0 L0,10')
    expect(smoothPath([{ x: 0, y: 0 }, { x: 5, y: 5 }, { x: 0, y: 10 }])).toBe('M0,0 Q5,5 0,10')
  })
})
