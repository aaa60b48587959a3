import { describe, expect, it } from 'vitest'
import { hidden, isReference, isSecret, shownCredential } from './credential'
import { formShows } from './fields'
import { nodeTypes } from './node-types'

describe('credentials', () => {
  it('are the members that the API document declares', () => {
    const headers = nodeTypes.ENDPOINT?.fields.find(({ name }) => name === 'headers')
    expect(headers && isSecret(headers, 'Authorization')).toBe(true)
    expect(headers && isSecret(headers, 'X-Anything')).toBe(true)
    expect(headers && isSecret(headers, 'content-TYPE')).toBe(false)
    const token = nodeTypes.MCP?.fields.find(({ name }) => name === 'auth')
    expect(token && isSecret(token)).toBe(true)
    const url = nodeTypes.ENDPOINT?.fields.find(({ name }) => name === 'url')
    expect(url && isSecret(url)).toBe(false)
  })

  it('are edited in the form as long as they are texts', () => {
    expect(formShows('MCP', { server_url: 'https://x', tool_name: 'a', auth: hidden })).toBe(true)
    expect(formShows('MCP', { server_url: 'https://x', tool_name: 'a', auth: { token: hidden } })).toBe(false)
    expect(formShows('ENDPOINT', { url: hidden, headers: { A: hidden } })).toBe(true)
  })

  it('are not shown', () => {
    expect(shownCredential(hidden)).toEqual({ type: 'password', value: '', placeholder: '… unchanged' })
    expect(shownCredential('abc')).toEqual({ type: 'password', value: 'abc' })
    expect(shownCredential('Bearer ${TOKEN}')).toEqual({ type: 'text', value: 'Bearer ${TOKEN}' })
  })

  it.each([['${A}', true], ['Bearer ${A_1}', true], ['${1}', false], ['x-${A}', false], ['${A} ', false], ['a b ${A}', false]])('%s refers to a variable: %s', (text, is) => expect(isReference(text)).toBe(is))
})
