import { describe, expect, it } from 'vitest'
import { functionName, functionOf, readObject, withFunction } from './parts'

describe('parts of a tool', () => {
  it('parses objects and reports errors', () => {
    expect(readObject('{"a": 1}')).toEqual({ value: { a: 1 }, problem: null })
    expect(readObject('[1]').problem).toContain('object')
    expect(readObject('{').problem).toContain('Invalid JSON')
  })

  it('changes a function and keeps unknown members', () => {
    const definition = { type: 'function', extra: 1, function: { name: 'a', other: 2 } }
    expect(withFunction(definition, { name: 'b' })).toEqual({ type: 'function', extra: 1, function: { name: 'b', other: 2 } })
    expect(functionOf(definition)).toEqual({ name: 'a', description: '', parameters: {}, strict: false })
    expect(functionOf({ type: 'web_search' })).toBeNull()
  })

  it.each([['parcel status', 'parcel_status'], [' Größe! ', 'Gr_e'], ['???', 'tool']])('converts %s to the name %s', (name, made) => expect(functionName(name)).toBe(made))
})
