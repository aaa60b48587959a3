import { expect, it } from 'vitest'
import type { NodeResult } from '../data'
import { preview, valueText } from './preview'

const result = (change: Partial<NodeResult>): NodeResult => ({ status: 'SUCCESS', value: null, error_message: null, raw_error_message: null, is_output_node: false, ...change })

it.each([
  [result({ value: 'text' }), 'text'], [result({ value: { a: [1] } }), '{"a":[1]}'], [result({}), 'null'],
  [result({ status: 'FAILED', error_message: 'no such model' }), 'no such model'], [result({ status: 'FAILED' }), 'failed'],
  [result({ status: 'SKIPPED' }), 'skipped'], [result({ status: 'RUNNING' }), 'running'],
  [result({ status: 'RUNNING', retries: 2 }), 'retry 2'], [result({ status: 'QUEUED', retries: 1, error_message: 'no' }), 'retry 1'], [result({ value: 1, retries: 1 }), '1'],
])('previews %j as %s', (node, text) => expect(preview(node)).toBe(text))

it('shortens long values', () => {
  expect(valueText('x'.repeat(300))).toBe('x'.repeat(300))
  expect(valueText('x'.repeat(301))).toBe('x'.repeat(300) + '…')
  expect(valueText(undefined)).toBe('')
})
