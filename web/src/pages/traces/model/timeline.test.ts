import { describe, expect, it } from 'vitest'
import { barOf, durationOf, preciseTime, ticksOf, timelineOf } from './timeline'

const at = (ms: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + ms).toISOString()
const span = (start: number, end: number) => ({ start_time: at(start), end_time: at(end) })

describe('the timeline', () => {
  it('covers all spans', () => {
    const timeline = timelineOf([span(0, 100), span(25, 50), span(90, 200)])
    expect(timeline.to - timeline.from).toBe(200)
    expect(barOf(timeline, 0)).toEqual({ left: 0, width: 50 })
    expect(barOf(timeline, 1)).toEqual({ left: 12.5, width: 12.5 })
    expect(durationOf(timeline, 2)).toBe(110)
  })

  it('starts with the first span, also if it is a child whose clock is behind', () => {
    const timeline = timelineOf([span(-50, -10), span(0, 50)])
    expect([barOf(timeline, 0), barOf(timeline, 1)]).toEqual([{ left: 0, width: 40 }, { left: 50, width: 50 }])
  })

  it('has no negative bars', () => {
    const timeline = timelineOf([span(0, 100), span(60, 20)])
    expect(barOf(timeline, 1)).toEqual({ left: 60, width: 0 })
    expect(durationOf(timeline, 1)).toBe(0)
  })

  it('survives clocks that differ by years', () => {
    const timeline = timelineOf([{ start_time: '1970-01-01T00:00:00Z', end_time: '1970-01-01T00:00:01Z' }, span(0, 100)])
    for (const index of [0, 1]) {
      const { left, width } = barOf(timeline, index)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left + width).toBeLessThanOrEqual(100.000001)
    }
  })

  it('fills the whole width with spans of no duration', () => expect(barOf(timelineOf([span(0, 0)]), 0)).toEqual({ left: 0, width: 100 }))

  it('keeps microseconds', () => {
    expect(preciseTime('2026-01-01T00:00:00.000250Z') - preciseTime('2026-01-01T00:00:00Z')).toBeCloseTo(0.25, 3)
    expect(preciseTime('2026-01-01T00:00:00.5Z') - preciseTime('2026-01-01T00:00:00Z')).toBe(500)
  })

  it('handles 30,000 spans', () => {
    const timeline = timelineOf(Array.from({ length: 30_000 }, (_, index) => span(index, index + 1)))
    expect(timeline.to - timeline.from).toBe(30_000)
  })
})

describe('the axis', () => {
  it.each([
    [100, [0, 20, 40, 60, 80, 100]], [7, [0, 2, 4, 6]], [1900, [0, 500, 1000, 1500]], [0, [0]],
  ])('of %s ms has round times', (whole, ticks) => expect(ticksOf({ from: 5, to: 5 + whole })).toEqual(ticks))

  it('has few times for any range', () => {
    for (let whole = 0.001; whole < 1e12; whole *= 3.7) expect(ticksOf({ from: 0, to: whole }).length).toBeLessThanOrEqual(6)
  })
})
