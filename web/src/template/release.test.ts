import { expect, it } from 'vitest'
import type { ABTest } from './data'
import { afterMove, labelOptions, splitWords } from './release'

const weights = [{ version_number: 1, weight: 90 }, { version_number: 2, weight: 10 }, { version_number: 3, weight: 0 }]
const test = { id: 1, name: 'Brief', release_label_id: 7, weights, segments: [] } as unknown as ABTest

it('says what each share gets', () => {
  expect(splitWords(test)).toBe('90% version 1 and 10% version 2')
  expect(splitWords({ weights: [{ version_number: 4, weight: 100 }] })).toBe('100% version 4')
  expect(splitWords({ ...test, segments: [{ name: 'Staff', match: {}, weights }] })).toBe('90% version 1 and 10% version 2, and its own split for each segment')
})

it('promises a version at once only without a test', () => {
  expect(afterMove('hello', 3, undefined)).toContain('will get version 3 immediately')
  expect(afterMove('hello', 3, test)).toBe('The A/B test Brief decides what applications get, and does not change: 90% version 1 and 10% version 2. Version 3 is served when the test ends.')
})

it('names the test of a label', () => {
  const labels = [{ release_label_id: 7, release_label: 'prod', prompt_version_number: 1 }, { release_label_id: 8, release_label: 'dev', prompt_version_number: 2 }]
  expect(labelOptions(labels, [test])).toEqual([{ name: 'prod', version: 1, test: 'A/B test Brief serves 90% version 1 and 10% version 2' }, { name: 'dev', version: 2 }])
})
