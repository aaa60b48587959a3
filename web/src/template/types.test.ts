import { describe, expect, it } from 'vitest'
import { emptyTemplate, forPublishing, newMessage, omit, readModel, readTemplate, roles, textItem, withRole, type Message } from './types'

describe('withRole', () => {
  const call = { id: 'c1', function: { name: 'find', arguments: '{}' } }

  it('keeps tool calls only for assistants', () => {
    const assistant: Message = { role: 'assistant', content: null, tool_calls: [call], function_call: { name: 'find' } }
    expect(withRole(assistant, 'assistant')).toEqual(assistant)
    expect(withRole(assistant, 'user')).toEqual({ role: 'user', content: [textItem()] })
  })

  it('has a tool call id only for tools', () => {
    expect(withRole({ role: 'user', content: [textItem('4')] }, 'tool')).toEqual({ role: 'tool', content: [textItem('4')], tool_call_id: '' })
    expect(withRole({ role: 'tool', content: [], tool_call_id: 'c1' }, 'tool')).toMatchObject({ tool_call_id: 'c1' })
    expect(withRole({ role: 'tool', content: [], tool_call_id: 'c1' }, 'user')).not.toHaveProperty('tool_call_id')
  })

  it('adds a name where the role requires one, and keeps an existing one', () => {
    expect(withRole({ role: 'user', content: [] }, 'placeholder').name).toBe('history')
    expect(withRole({ role: 'user', content: [] }, 'function').name).toBe('name')
    expect(withRole({ role: 'user', content: [], name: 'Ann' }, 'placeholder').name).toBe('Ann')
  })

  it('keeps unknown members and does not change the original', () => {
    const message: Message = { role: 'user', content: [], cache_control: { type: 'ephemeral' } }
    expect(withRole(message, 'system')).toEqual({ role: 'system', content: [], cache_control: { type: 'ephemeral' } })
    expect(message.role).toBe('user')
  })
})

describe('newMessage', () => {
  it.each(roles)('creates a complete %s message', (role) => {
    const message = newMessage(role, 'jinja2')
    expect(message).toMatchObject({ role, template_format: 'jinja2' })
    expect(withRole(message, role)).toEqual(message)
  })
})

describe('readTemplate', () => {
  it('keeps unknown members', () => {
    expect(readTemplate({ type: 'completion', content: [textItem('x')], dataset_examples: [] })).toEqual({ type: 'completion', content: [textItem('x')], dataset_examples: [] })
  })

  it.each([null, 'text', [], { type: 'other' }, { messages: 'none' }])('reads %j as an empty chat', (value) => expect(readTemplate(value)).toMatchObject({ type: 'chat', messages: [] }))

  it('reads back new templates', () => {
    for (const kind of ['chat', 'completion'] as const) expect(readTemplate(emptyTemplate(kind))).toEqual(emptyTemplate(kind))
  })
})

describe('readModel', () => {
  it.each([[null, null], [{}, null], [{ model: 'gpt' }, null], [{ model: { name: 'gpt-4o', parameters: { seed: 1 } } }, { provider: '', name: 'gpt-4o', parameters: { seed: 1 } }]])('reads %j', (metadata, model) => {
    expect(readModel(metadata)).toEqual(model)
  })
})

describe('forPublishing', () => {
  it('removes the lists of variables at every level', () => {
    const message = { role: 'user' as const, content: [textItem('{a}')] }
    expect(forPublishing({ type: 'chat', input_variables: ['a'], messages: [{ ...message, input_variables: ['a'] }] })).toEqual({ type: 'chat', messages: [message] })
    expect(forPublishing({ type: 'completion', input_variables: ['a'], content: [] })).toEqual({ type: 'completion', content: [] })
  })
})

it('omit copies without one member', () => {
  const object = { a: 1, b: 2 }
  expect(omit(object, 'a')).toEqual({ b: 2 })
  expect(omit(object, 'c')).toEqual(object)
  expect(object).toEqual({ a: 1, b: 2 })
})
