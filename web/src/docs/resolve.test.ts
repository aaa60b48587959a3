import { describe, expect, it } from 'vitest'
import { resolveSubtree } from './resolve'

const document = {
  paths: { '/a/{b}': { get: { responses: { 200: { $ref: '#/components/responses/ok' } }, schema: { $ref: '#/components/schemas/Tree', description: 'A tree.' } } } },
  components: {
    responses: { ok: { description: 'OK' } },
    schemas: {
      Tree: { type: 'object', description: 'Any.', properties: { left: { $ref: '#/components/schemas/Tree' }, leaf: { $ref: '#/components/schemas/a~1b' } } },
      'a/b': { type: 'string' },
      Odd: { properties: { $ref: { type: 'string' } } },
    },
  },
}

describe('resolveSubtree', () => {
  it('replaces references, keeps what stands beside them, and ends at a schema inside itself', () => {
    expect(resolveSubtree(document, ['paths', '/a/{b}', 'get'])).toEqual({
      responses: { 200: { description: 'OK' } },
      schema: {
        title: 'Tree',
        type: 'object',
        description: 'A tree.',
        properties: { left: { type: 'object', title: 'Tree', description: 'Another Tree.' }, leaf: { title: 'a/b', type: 'string' } },
      },
    })
  })

  it('keeps a member that is only called $ref', () => {
    expect(resolveSubtree(document, ['components', 'schemas', 'Odd'])).toEqual({ properties: { $ref: { type: 'string' } } })
  })

  it('finds nothing where nothing is', () => {
    expect(resolveSubtree(document, ['paths', '/c', 'get'])).toBeUndefined()
  })
})
