import { expect, it } from 'vitest'
import { modelOptions, readChoice } from './model-options'

const providers = [
  { name: 'anthropic', configured: false, models: ['claude-opus', 'claude-haiku'] },
  { name: 'openai', configured: true, models: ['gpt-4o', 'gpt-4o-mini'] },
]
const values = (typed: string, provider = '', name = '') => modelOptions(providers, typed, { provider, name }).map(({ value }) => value)

it('lists models that can be called first', () => {
  expect(values('')).toEqual(['openai/gpt-4o', 'openai/gpt-4o-mini', 'anthropic/claude-opus', 'anthropic/claude-haiku'])
  expect(modelOptions(providers, 'opus', { provider: '', name: '' }).find(({ value }) => value === 'anthropic/claude-opus')?.note).toBe('no key')
})

it('finds by all words', () => expect(values('openai mini')).toEqual(['openai/gpt-4o-mini']))

it('takes what is typed', () => {
  expect(values('ft:mine', 'anthropic')).toEqual(['anthropic/ft:mine', 'openai/ft:mine'])
  expect(values('acme/large')).toEqual(['acme/large', 'openai/acme/large'])
})

it('names the chosen model once, also when it is not listed', () => {
  expect(values('mini', 'acme', 'large')).toEqual(['openai/gpt-4o-mini', 'acme/mini', 'openai/mini', 'acme/large'])
  expect(values('', 'openai', 'gpt-4o').filter((value) => value === 'openai/gpt-4o')).toHaveLength(1)
})

it('reads a choice', () => {
  expect(readChoice('openrouter/meta/llama')).toEqual({ provider: 'openrouter', name: 'meta/llama' })
})
