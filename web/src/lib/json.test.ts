import { describe, expect, it } from 'vitest'
import { isObject, same } from './json'

describe('same', () => {
  it.each([
    [1, 1, true], ['1', 1, false], [null, undefined, false], [{ a: 1, b: [2] }, { b: [2], a: 1 }, true], [[1, 2], [2, 1], false], [{ a: 1 }, { a: 1, b: undefined }, false], [[], {}, false],
  ])('%j and %j: %s', (a, b, equal) => expect(same(a, b)).toBe(equal))
})

describe('isObject', () => {
  it.each([[{}, true], [{ a: 1 }, true], [[], false], [null, false], [undefined, false], ['{}', false], [0, false]])('%j: %s', (value, object) => expect(isObject(value)).toBe(object))
})
