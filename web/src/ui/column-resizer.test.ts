import { expect, it } from 'vitest'
import { boundedWidth, narrowest, widest, widthAfterKey } from './column-resizer'

it('bounds widths', () => {
  expect([boundedWidth(-5), boundedWidth(100.4), boundedWidth(9999)]).toEqual([narrowest, 100, widest])
})

it('changes a width by keys', () => {
  expect(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', 'Tab'].map((key) => widthAfterKey(key, 200, false))).toEqual([184, 216, narrowest, widest, null, undefined])
  expect([widthAfterKey('ArrowRight', 200, true), widthAfterKey('ArrowLeft', 70, true)]).toEqual([264, narrowest])
})
