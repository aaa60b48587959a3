import { expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { columnsOf, defaultColumns } = await import('./columns')

/** The columns that share the remaining width. */
const wide = (...ids: string[]) => columnsOf(ids).filter(({ grows }) => grows).map(({ id }) => id)

it('gives the remaining width to input and output', () => {
  expect(wide(...defaultColumns)).toEqual(['input'])
  expect(wide('time', 'input', 'output', 'metadata')).toEqual(['input', 'output'])
})

it('gives it to metadata when no other column grows', () => {
  expect(wide('time', 'metadata.env', 'metadata')).toEqual(['metadata'])
  expect(wide('time', 'metadata.env', 'metadata.user')).toEqual(['metadata.env'])
  expect(wide('time', 'status')).toEqual([])
})

it('shows scores by name', () => {
  const [column] = columnsOf(['score.helpful'])
  expect(column).toMatchObject({ header: 'helpful', sort: 'score.helpful' })
  expect(column?.cell({ scores: [{ name: 'tone', score: 1 }, { name: 'helpful', score: 80 }] } as never)).toBe(80)
})

it('ignores unknown and duplicate columns', () => {
  expect(columnsOf(['time', 'nothing', 'metadata.', 'score.', 'time']).map(({ id }) => id)).toEqual(['time'])
})
