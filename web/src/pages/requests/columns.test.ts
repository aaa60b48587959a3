import { expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { columnsOf, defaultColumns } = await import('./columns')

/** The columns that take the width which is left. */
const wide = (...ids: string[]) => columnsOf(ids).filter(({ grows }) => grows).map(({ id }) => id)

it('gives the width that is left to what was said', () => {
  expect(wide(...defaultColumns)).toEqual(['input'])
  expect(wide('time', 'input', 'output', 'metadata')).toEqual(['input', 'output'])
})

it('gives it to the metadata where nothing else grows', () => {
  expect(wide('time', 'metadata.env', 'metadata')).toEqual(['metadata'])
  expect(wide('time', 'metadata.env', 'metadata.user')).toEqual(['metadata.env'])
  expect(wide('time', 'status')).toEqual([])
})

it('leaves out columns that are not known and those named twice', () => {
  expect(columnsOf(['time', 'nothing', 'metadata.', 'time']).map(({ id }) => id)).toEqual(['time'])
})
