import { describe, expect, it } from 'vitest'
import { formFields, formShows, linesOf, readField, writeField } from './fields'
import { initialConfiguration, nodeTypes } from './node-types'
import { summaryOf } from './summary'

describe('summaryOf', () => {
  it.each([
    ['VARIABLE', { value: { type: 'json', value: 50 } }, '50'],
    ['COMPARE', { sources: ['a', 'b'], comparison_type: { type: 'NUMBER', operator: 'LTE' } }, 'a, b'],
    ['MATH_OPERATOR', { sources: ['a'], operator: 'gt', value: 3 }, 'a greater than 3'],
    ['MATH_OPERATOR', { sources: ['a', 'b'], operator: '+' }, 'a plus b'],
    ['REGEX', { source: 'a', pattern: '^x' }, '/^x/'],
    ['CONTAINS', { source: 'a', value_source: 'b' }, 'a contains b'],
    ['PROMPT_TEMPLATE', { template: { prompt_name: 'reply', label: 'prod' } }, 'reply · prod'],
    ['CODE_EXECUTION', { code: '// why\n\nreturn 1' }, 'return 1'],
    ['ENDPOINT', { url: 'https://example.com/x' }, 'example.com/x'],
  ])('%s %j', (node_type, configuration, text) => expect(summaryOf({ node_type, configuration })).toBe(text))

  it('says something about every new node', () => {
    for (const type of Object.keys(nodeTypes)) expect(summaryOf({ node_type: type, configuration: initialConfiguration(type, 'a') })).not.toMatch(/[{}$]source|undefined/)
  })
})

describe('fields', () => {
  const pattern = { name: 'regex_pattern', aliases: ['pattern'] }

  it('reads lines as texts', () => expect(linesOf(' a@x.test\n\nb@x.test \na@x.test')).toEqual(['a@x.test', 'b@x.test']))

  it('compares two different values', () => {
    expect(initialConfiguration('COMPARE', 'a', 'b')).toMatchObject({ sources: ['a', 'b'] })
    expect(initialConfiguration('COMPARE', 'a')).toMatchObject({ sources: ['a', 'a'] })
  })

  it('shows new nodes in their forms', () => {
    const types = Object.keys(nodeTypes).filter((type) => formFields(type).length > 0)
    expect(types.length).toBeGreaterThan(15)
    for (const type of types) expect([type, formShows(type, initialConfiguration(type, 'a'))]).toEqual([type, true])
  })

  it('keeps the spelling that is there', () => {
    expect(readField({ pattern: 'x' }, pattern)).toEqual({ key: 'pattern', value: 'x' })
    expect(writeField({ pattern: 'x' }, pattern, 'y')).toEqual({ pattern: 'y' })
    expect(writeField({ pattern: 'x', source: 'a' }, pattern, undefined)).toEqual({ source: 'a' })
  })

  it('leaves what it does not know to JSON', () => expect(formShows('REGEX', { source: 'a', regex_pattern: 'x', flags: 'i' })).toBe(false))
})
