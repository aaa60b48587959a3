import { describe, expect, it } from 'vitest'
import { nodeOf, sample } from '../model/fixture'
import { layOut } from './layout'
import { inputsId, shapeOf, smoothPath } from './shape'

function expectDownwards({ boxes, lines }: ReturnType<typeof layOut>) {
  const y = new Map(boxes.map((box) => [box.id, box.y]))
  for (const { source, target } of lines) expect(y.get(source)).toBeLessThan(y.get(target) ?? 0)
}

describe('layOut', () => {
  it('places each node below its dependencies and connects them', () => {
    const layout = layOut(shapeOf(sample()))
    expectDownwards(layout)
    expect(layout.lines.map(({ id, label }) => [id, label])).toContainEqual(['n:long→n:summary', '= true'])
    expect(layout.boxes[0]?.id).toBe(inputsId)
  })

  it('handles cycles and dangling edges', () => {
    const definition = sample()
    definition.nodes[0]?.dependencies.push('answer', 'nowhere')
    expect(layOut(shapeOf(definition)).boxes).toHaveLength(5)
  })

  it('lays out thousands of nodes quickly', () => {
    const nodes = Array.from({ length: 2000 }, (_, index) => nodeOf(`n${index}`, { dependencies: index === 0 ? [] : [`n${Math.floor(index / 2)}`, `n${index - 1}`] }))
    const layout = layOut(shapeOf({ ...sample(), nodes, edges: [] }))
    expect(layout.boxes).toHaveLength(2001)
    expectDownwards(layout)
  })

  it('depends only on the texts of conditions', () => {
    const definition = sample()
    const nodes = definition.nodes.map((node) => ({ ...node, configuration: { ...node.configuration, note: 'other' } }))
    expect(shapeOf({ ...definition, nodes })).toEqual(shapeOf(definition))
  })
})

describe('smoothPath', () => {
  it('bends towards intermediate points', () => {
    expect(smoothPath([{ x: 0, y: 0 }, { x: 0, y: 10 }])).toBe('M0,0 L0,10')
    expect(smoothPath([{ x: 0, y: 0 }, { x: 5, y: 5 }, { x: 0, y: 10 }])).toBe('M0,0 Q5,5 0,10')
  })
})
