import { describe, expect, it } from 'vitest'
import { axisLabels, bucketName } from './chart-time'

const at = (text: string) => Date.parse(text) / 1000
const minute = 60
const hour = 3600
const day = 86_400

describe('axisLabels', () => {
  it('adds the date to the first tick and to the first one of each day', () => {
    const marks = [at('2026-01-01T22:00:00Z'), at('2026-01-01T23:00:00Z'), at('2026-01-02T00:00:00Z')]
    expect(axisLabels(marks, hour, true)).toEqual(['22:00\n1 Jan', '23:00', '00:00\n2 Jan'])
  })

  it('shows seconds only for ticks closer than a minute', () => {
    expect(axisLabels([at('2026-01-01T10:00:30Z')], 30, true)).toEqual(['10:00:30\n1 Jan'])
    expect(axisLabels([at('2026-01-01T10:01:00Z')], minute, true)).toEqual(['10:01\n1 Jan'])
  })

  it.each([[day, '5 Mar'], [7 * day, '5 Mar'], [30 * day, 'Mar 26'], [365 * day, '2026']])('with ticks %d seconds apart shows %s', (increment, label) => {
    expect(axisLabels([at('2026-03-05T00:00:00Z')], increment, true)).toEqual([label])
  })
})

describe('bucketName', () => {
  it.each([
    [1, 'Thu 1 Jan, 10:00:00'],
    [10, 'Thu 1 Jan, 10:00:00 – 10:00:10'],
    [5 * minute, 'Thu 1 Jan, 10:00 – 10:05'],
    [day, 'Thu 1 Jan'],
    [7 * day, 'Thu 1 Jan – Wed 7 Jan'],
    [31 * day, 'January 2026'],
  ])('names a bucket of %d seconds %s', (step, name) => expect(bucketName(at('2026-01-01T10:00:00Z'), step, true).replace(/,(?= \d+ )/, '')).toBe(name))
})
