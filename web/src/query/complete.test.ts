import { describe, expect, it } from 'vitest'
import { fieldChoices, keyChoices, placeAt, valueChoices } from './complete'
import { traces } from './fields'

function at(text: string) {
  const place = placeAt(text, text.length)
  return { ...place, field: 'field' in place ? place.field.api : undefined }
}

describe('complete', () => {
  it('knows what is being written', () => {
    expect(at('model:a sta')).toMatchObject({ kind: 'field', from: 8, prefix: 'sta' })
    expect(at('-mod')).toMatchObject({ kind: 'field', from: 1, prefix: 'mod', minus: true })
    expect(at('(model:gp')).toMatchObject({ kind: 'value', from: 7, prefix: 'gp', field: 'engine' })
    expect(at('model:a,b')).toMatchObject({ kind: 'value', from: 8, prefix: 'b' })
    expect(at('prompt:"two wo')).toMatchObject({ kind: 'value', from: 7, prefix: 'two wo' })
    expect(at('metadata.re')).toMatchObject({ kind: 'key', from: 9, prefix: 're', field: 'metadata' })
    expect(at('metadata.env:pr')).toMatchObject({ kind: 'value', from: 13, prefix: 'pr', key: 'env' })
    expect(at('score.he')).toMatchObject({ kind: 'key', from: 6, prefix: 'he', field: 'scores' })
    expect(at('score.helpful>5')).toMatchObject({ kind: 'value', prefix: '5', key: 'helpful' })
    expect(at('output.a')).toMatchObject({ kind: 'key', field: 'output' })
    expect(at('some words')).toMatchObject({ kind: 'field', prefix: 'words' })
  })

  it('offers fields, then ways to compare', () => {
    const choices = (text: string) => {
      const place = placeAt(text, text.length)
      return place.kind === 'field' ? fieldChoices(place).map((choice) => choice.text) : []
    }
    expect(choices('stat')).toEqual(['status:'])
    expect(choices('latency')[0]).toBe('latency>')
    expect(choices('meta')).toEqual(['metadata.', 'metadata_key:', 'user:'])
  })

  it('offers the fields of traces', () => {
    const place = placeAt('span(span_n', 11, traces)
    expect(place.kind === 'field' && fieldChoices(place, traces)[0]).toMatchObject({ text: 'span_name:', from: 5 })
    expect(placeAt('duration>', 9, traces)).toMatchObject({ kind: 'value' })
    expect(placeAt('latency>', 8, traces)).toMatchObject({ kind: 'field' })
  })

  it('compares scores', () => {
    const place = placeAt('score.', 6)
    expect(place.kind === 'key' && keyChoices(place, ['helpful', 'of tone']).map((choice) => choice.text)).toEqual(['helpful>', '"of tone">'])
  })

  it('quotes values that need it', () => {
    const place = placeAt('prompt:', 7)
    expect(place.kind === 'value' && valueChoices(place, ['a b', 'c']).map((choice) => choice.text)).toEqual(['"a b"', 'c'])
  })
})
