import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '@/api/fake-api'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('finds the evaluations of a dataset in the first pages', async () => {
  const requests = await fakeApi(({ params }) => {
    const page = Number(params?.query?.page)
    return { evaluations: [{ id: page * 10, dataset_id: 7 }, { id: page * 10 + 1, dataset_id: 8 }, { id: page * 10 + 2, dataset_id: null }], pages: 2 }
  })
  const { evaluationsOfDatasets } = await import('./data')
  const found = await new QueryClient().fetchQuery(evaluationsOfDatasets(1, 5, [7, 9]))
  expect(found.map(({ id }) => id)).toEqual([10, 20])
  expect(requests).toHaveLength(2)
})

it('stops searching after five pages', async () => {
  const requests = await fakeApi(() => ({ evaluations: [], pages: 100 }))
  const { evaluationsOfDatasets } = await import('./data')
  expect(await new QueryClient().fetchQuery(evaluationsOfDatasets(1, 5, [7]))).toEqual([])
  expect(requests).toHaveLength(5)
})
