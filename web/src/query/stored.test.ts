import { describe, expect, it } from 'vitest'
import { requestBody } from './state'
import { storedText } from './stored'

describe('the text of a stored query', () => {
  for (const text of ['', 'refund', 'status:error', 'refund model:gpt-4o latency>2000', 'status:error OR cost>1', '-tag:test metadata.team:"a b" score.tone:50', 'prompt:greeting (model:a OR model:b)', 'cost:*', '-cost:*', 'score.helpful>50', 'score.helpful:10..20 -score."of tone":7', 'score.helpful:*', '-score.helpful:*']) {
    it(`means the same: ${text}`, () => {
      const query = requestBody({ q: text, range: 'all' })
      const printed = storedText(query)
      expect(printed).not.toBeNull()
      expect(requestBody({ q: printed ?? '', range: 'all' })).toEqual(query)
    })
  }

  it('is null for what cannot be typed', () => {
    expect(storedText({ filters: [{ field: 'status', operator: 'is', value: 'ERROR' }] })).toBeNull()
    expect(storedText({ filter_group: { logic: 'AND', filters: [{ field: 'mood', operator: 'is', value: 'good' }] } })).toBeNull()
    expect(storedText('x')).toBeNull()
  })
})
