import { describe, expect, it } from 'vitest'
import { arityOf, fieldOf, fields, groupFields, hasKeys, metricFields, operatorLabels, operatorsOf, opposites, requests, sortFields, traces, traceSortFields } from './fields'

describe.each([requests, traces])('the fields of $noun', (vocabulary) => {
  it('have a name of their own in queries, apart from values in the output', () => {
    const names = vocabulary.fields.filter((field) => !hasKeys(field)).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('include that of the time range and those of texts', () => {
    expect(vocabulary.find(vocabulary.time)?.type).toBe('datetime')
    for (const name of vocabulary.texts) expect(vocabulary.fields.find(({ api }) => api === name)?.type).toBe('text')
  })

  it('take operators that have a label and an arity', () => {
    for (const field of vocabulary.fields) {
      expect(operatorsOf(field)).not.toEqual([])
      for (const operator of operatorsOf(field)) expect([operatorLabels[operator], arityOf(field, operator)]).not.toContain(undefined)
    }
  })

})

describe('fields', () => {
  it('do not take the operators of other types', () => {
    expect(arityOf(fieldOf('engine'), 'gte')).toBeUndefined()
    expect(arityOf(fieldOf('cost'), 'between')).toBe('pair')
  })

  it('are negated both ways', () => {
    expect([opposites.is, opposites.is_not, opposites.gt]).toEqual(['is_not', 'is', undefined])
  })

  it('suggest the keys of nested fields', () => {
    expect(fields.filter(hasKeys).map(({ api, suggestKeys }) => [api, suggestKeys])).toEqual([
      ['input_variables', 'input_variable_keys'], ['metadata', 'metadata_keys'], ['scores', 'score_names'], ['output', 'output_keys'],
    ])
  })

  it('have a label in charts', () => {
    expect(metricFields).toMatchObject({ cost: 'Cost', latency_ms: 'Latency' })
    expect(groupFields).toMatchObject({ engine: 'Model', tags: 'Tag' })
    expect(groupFields).not.toHaveProperty('cost')
    expect(groupFields).not.toHaveProperty('scores')
    expect(sortFields).toHaveProperty('request_start_time')
    expect(traceSortFields).toContain('trace_duration_ms')
  })
})
