import { describe, expect, it } from 'vitest'
import { forms, formShows, readField, writeField } from './fields'
import { nodeTypes } from './node-types'
import { summaryOf } from './summary'

describe('summaryOf', () => {
  it.each([
    ['VARIABLE', { value: { type: 'json', value: 50 } }, '50'],
    ['COMPARE', { sources: ['a', 'b'], comparison_type: { type: 'NUMBER', operator: 'LTE' } }, 'a ≤ b'],
    ['MATH_OPERATOR', { sources: ['a'], operator: 'gt', value: 3 }, 'a > 3'],
    ['PROMPT_TEMPLATE', { template: { prompt_name: 'reply', label: 'prod' } }, 'reply · prod'],
    ['CODE_EXECUTION', { code: '// why\n\nreturn 1' }, 'return 1'],
    ['ENDPOINT', { url: 'https://example.com/x' }, 'example.com/x'],
  ])('%s %j', (node_type, configuration, text) => expect(summaryOf({ node_type, configuration })).toBe(text))

  it('describes every new node', () => {
    for (const [type, { initial }] of Object.entries(nodeTypes)) expect(typeof summaryOf({ node_type: type, configuration: initial('a') })).toBe('string')
  })
})

describe('fields', () => {
  it('can show new nodes in their forms', () => {
    for (const type of Object.keys(forms)) expect([type, formShows(type, nodeTypes[type]?.initial('a') ?? {})]).toEqual([type, true])
  })

  it('keeps the member name in use', () => {
    expect(readField({ pattern: 'x' }, ['regex_pattern', 'pattern'])).toEqual({ key: 'pattern', value: 'x' })
    expect(writeField({ pattern: 'x' }, ['regex_pattern', 'pattern'], 'y')).toEqual({ pattern: 'y' })
    expect(writeField({ pattern: 'x', source: 'a' }, ['regex_pattern', 'pattern'], undefined)).toEqual({ source: 'a' })
  })

  it('leaves unknown members to JSON', () => expect(formShows('REGEX', { source: 'a', regex_pattern: 'x', flags: 'i' })).toBe(false))
})
