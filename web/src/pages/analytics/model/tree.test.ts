import { describe, expect, it } from 'vitest'
import { growTree, squarify } from './tree'

describe('growTree', () => {
  it('sums up branches, largest first', () => {
    const tree = growTree([{ path: ['a', 'x'], value: 1 }, { path: ['b', 'x'], value: 5 }, { path: ['a', 'y'], value: 2 }])
    expect(tree.map(({ name, value }) => [name, value])).toEqual([['b', 5], ['a', 3]])
    expect(tree[1]?.branches.map(({ path }) => path)).toEqual([['a', 'y'], ['a', 'x']])
  })
})

describe('squarify', () => {
  const box = { x: 0, y: 0, width: 6, height: 4 }

  it('gives each value its share of the area and fills the box', () => {
    const values = [6, 6, 4, 3, 2, 2, 1]
    const pieces = squarify(values, box)
    pieces.forEach((piece, index) => expect(piece.width * piece.height).toBeCloseTo(values[index] ?? 0))
    for (const piece of pieces) {
      expect(piece.x + piece.width).toBeLessThanOrEqual(6.0001)
      expect(piece.y + piece.height).toBeLessThanOrEqual(4.0001)
    }
  })

  it('keeps boxes from becoming too narrow', () => {
    for (const { width, height } of squarify([5, 4, 3, 2, 2], box)) expect(Math.max(width / height, height / width)).toBeLessThan(4)
  })

  it('handles zero values', () => expect(squarify([0, 0], box).every(({ width }) => width === 0)).toBe(true))
})
