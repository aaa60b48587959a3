import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '@/api/fake-api'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('lists the draft first, then the versions, newest first, over all pages', async () => {
  const pages = [[1, 3], [-1, 2]]
  const requests = await fakeApi(({ params }) => ({ datasets: (pages[Number(params?.query?.page) - 1] ?? []).map((version_number) => ({ id: 10 + version_number, version_number })), pages: 2 }))
  const { versionName, versionsQuery } = await import('./data')
  const versions = await new QueryClient().fetchQuery(versionsQuery(1, 4))
  expect(versions.map(versionName)).toEqual(['Draft', 'Version 3', 'Version 2', 'Version 1'])
  expect(requests.map(({ params }) => params?.query?.dataset_group_id)).toEqual([4, 4])
})

it('requests row ids only for drafts', async () => {
  const requests = await fakeApi(() => ({ rows: [], total: 0 }))
  const { rowsQuery } = await import('./data')
  await new QueryClient().fetchQuery(rowsQuery(1, 4, '', 1, false))
  await new QueryClient().fetchQuery(rowsQuery(1, 4, 'rye', 2, true))
  expect(requests.map(({ params }) => params?.query)).toEqual([{ page: 1, per_page: 100 }, { page: 2, per_page: 100, q: 'rye', include_ids: true }])
})
