import { describe, expect, it } from 'vitest'
import { argumentsOf, inputsOf, parametersOf, typeOf } from './schema'

const schema = {
  type: 'object',
  required: ['number'],
  properties: {
    number: { type: 'string', description: 'As printed' },
    language: { enum: ['en', 'de'], default: 'en' },
    address: { type: 'object', properties: { street: { type: ['string', 'null'] } } },
    items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
    count: { type: 'integer' },
    express: { type: 'boolean' },
  },
}

describe('schema of a tool', () => {
  it('lists parameters with nested ones', () => {
    expect(parametersOf(schema).map(({ path, type, required, depth }) => [path, type, required, depth])).toEqual([
      ['number', 'string', true, 0], ['language', 'choice', false, 0], ['address', 'object', false, 0], ['address.street', 'string', false, 1],
      ['items', 'list of object', false, 0], ['items[].price', 'number', false, 1], ['count', 'integer', false, 0], ['express', 'boolean', false, 0],
    ])
  })

  it('describes types', () => {
    expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'integer' }] })).toBe('string or integer')
    expect(typeOf({})).toBe('any')
  })

  it('parses typed values', () => {
    const list = argumentsOf(schema)
    expect(inputsOf(list, { number: '12', address: '{"street": "x"}', count: '3', express: 'true' })).toEqual({ inputs: { number: '12', language: 'en', address: { street: 'x' }, count: 3, express: true }, problems: {} })
  })

  it('reports invalid values', () => {
    const { problems } = inputsOf(argumentsOf(schema), { count: '1.5', items: '[' })
    expect(Object.keys(problems)).toEqual(['number', 'items', 'count'])
  })

  it('handles any schema', () => {
    expect(parametersOf({ properties: { a: 1, b: null } })).toHaveLength(2)
    expect(parametersOf({ properties: [] as unknown as object })).toEqual([])
  })
})
