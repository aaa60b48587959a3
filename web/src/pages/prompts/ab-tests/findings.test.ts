import { expect, test } from 'vitest'
import type { ABTestArm } from '@/template/data'
import { findingsOf, scoreNames } from './findings'

const none = { value: 0, low: 0, high: 0, count: 0 }

function arm(version: number, outcomes: ABTestArm['findings'][number]['outcome'][], scores: string[]): ABTestArm {
  return {
    version_number: version, requests: 1, error_rate: null, cost: null, total_cost: 0, latency_ms: null, latency_p95_ms: null,
    scores: scores.map((name) => ({ name, ...none })),
    findings: outcomes.map((outcome) => ({ measure: 'cost', score_name: null, outcome, difference: none, text: `${version} ${outcome}` })),
  }
}

test('clear differences come first, and losses before gains', () => {
  const versions = [arm(1, [], []), arm(2, ['not enough requests', 'better'], []), arm(3, ['no clear difference', 'worse'], [])]
  expect(findingsOf(versions).map(({ text }) => text)).toEqual(['3 worse', '2 better', '3 no clear difference', '2 not enough requests'])
})

test('each score is shown once', () => {
  expect(scoreNames([arm(1, [], ['tone', 'default']), arm(2, [], ['default', 'length'])])).toEqual(['default', 'length', 'tone'])
})
