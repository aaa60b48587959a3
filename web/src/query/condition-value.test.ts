import { expect, it } from 'vitest'
import { conditionValue, withConditionValue } from './condition-value'

it('reads the value of a condition that always holds', () => {
  expect(conditionValue('model:a key:"two words"', 'api_key')).toBe('two words')
  for (const q of ['', 'model:a', '-key:a', '(key:a OR model:b)', 'key:a,b', '(']) expect(conditionValue(q, 'api_key')).toBeNull()
})

it('replaces the value and keeps the rest', () => {
  expect(withConditionValue('', 'api_key', 'a')).toBe('key:a')
  expect(withConditionValue('refund key:a model:m', 'api_key', 'two words')).toBe('refund model:m key:"two words"')
  expect(withConditionValue('refund key:a', 'api_key', null)).toBe('refund')
  expect(withConditionValue('key:a', 'api_key', null)).toBe('')
  expect(withConditionValue('(', 'api_key', 'a')).toBe('(')
})
