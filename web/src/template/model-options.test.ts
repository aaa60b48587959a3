import { expect, it } from 'vitest'
import { modelOptions, readChoice } from './model-options'

const providers = [
  { name: 'anthropic', configured: false, models: ['claude-opus', 'claude-haiku'] },
  { name: 'openai', configured: true, models: ['gpt-4o', 'gpt-4o-mini'] },
]
const values = (typed: string, provider = '', name = '') => modelOptions(providers, typed, { provider, name }).map(({ value }) => value)

it('lists callable models first', () => {
  expect(values('')).toEqual(['openai/gpt-4o', 'openai/gpt-4o-mini', 'anthropic/claude-opus', 'anthropic/claude-haiku'])
  expect(modelOptions(providers, 'opus', { provider: '', name: '' }).find(({ value }) => value === 'anthropic/claude-opus')?.note).toBe('no API key')
})

it('matches all words', () => expect(values('openai mini')).toEqual(['openai/gpt-4o-mini']))

it('offers the typed name', () => {
  expect(values('ft:mine', 'anthropic')).toEqual(['anthropic/ft:mine', 'openai/ft:mine'])
  expect(values('acme/large')).toEqual(['acme/large', 'openai/acme/large'])
})

it('includes the selected model once, even if it is not listed', () => {
  expect(values('mini', 'acme', 'large')).toEqual(['openai/gpt-4o-mini', 'acme/mini', 'openai/mini', 'acme/large'])
  expect(values('', 'openai', 'gpt-4o').filter((value) => value === 'openai/gpt-4o')).toHaveLength(1)
})

it('parses a choice', () => {
  expect(readChoice('openrouter/meta/llama')).toEqual({ provider: 'openrouter', name: 'meta/llama' })
})
