import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'

export type Dataset = Schemas['DatasetItem']
export type RowsPage = Schemas['DatasetRowsResponse']
export type Group = Schemas['EntityItem']

/** The prefix of all query keys about datasets, so that a change can invalidate all of them. */
export const datasetsKey = (workspace: number) => ['w', workspace, 'datasets'] as const
export const groupKey = (workspace: number, group: number) => [...datasetsKey(workspace), 'group', group] as const

export interface Listing {
  q?: string
  sort?: 'updated' | 'created' | 'name'
}

/** All dataset groups in any folder or, with a search, those whose name matches. */
export function groupsQuery(workspace: number, { q, sort = 'updated' }: Listing) {
  return queryOptions({
    queryKey: [...datasetsKey(workspace), 'groups', { q, sort }],
    queryFn: async ({ signal }) => {
      const query = {
        filter_type: ['DATASET' as const],
        flatten: true,
        include_metadata: true,
        sort_by: sort === 'name' ? ('name' as const) : sort === 'created' ? ('created_at' as const) : ('updated_at' as const),
        sort_order: sort === 'name' ? ('asc' as const) : ('desc' as const),
        ...(q ? { search_query: q } : {}),
      }
      return (await call(api.GET('/api/public/v2/folders/entities', { params: { query }, signal }))).entities
    },
    placeholderData: keepPreviousData,
  })
}

const versionsPage = 100
const mostVersionPages = 10

/** The draft first, then the versions of a group, newest first. */
export function versionsQuery(workspace: number, group: number) {
  return queryOptions({
    queryKey: [...groupKey(workspace, group), 'versions'],
    queryFn: async ({ signal }) => {
      const found: Dataset[] = []
      for (let page = 1; page <= mostVersionPages; page++) {
        const answer = await call(api.GET('/api/public/v2/datasets', { params: { query: { dataset_group_id: group, page, per_page: versionsPage } }, signal }))
        found.push(...answer.datasets)
        if (page >= answer.pages) break
      }
      return found.sort((a, b) => (isDraft(a) ? -1 : isDraft(b) ? 1 : b.version_number - a.version_number))
    },
  })
}

/** The dataset used by an evaluation. */
export function datasetOfReportQuery(workspace: number, report: number) {
  return queryOptions({
    queryKey: [...datasetsKey(workspace), 'of-report', report],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/datasets', { params: { query: { report_id: report, per_page: 100, status: 'all' } }, signal }))).datasets,
    staleTime: 60_000,
  })
}

export const rowsPerPage = 100

export const rowsKey = (workspace: number, dataset: number) => [...datasetsKey(workspace), 'rows', dataset] as const

/** A page of rows, with the row ids needed to edit a draft. */
export function rowsQuery(workspace: number, dataset: number, q: string, page: number, draft: boolean) {
  return queryOptions({
    queryKey: [...rowsKey(workspace, dataset), q, page],
    queryFn: ({ signal }) =>
      call(api.GET('/api/public/v2/datasets/{dataset_id}/rows', {
        params: { path: { dataset_id: dataset }, query: { page, per_page: rowsPerPage, ...(q === '' ? {} : { q }), ...(draft ? { include_ids: true } : {}) } },
        signal,
      })),
    // Numbered versions never change.
    staleTime: draft ? 10_000 : Infinity,
  })
}

/** The number of rows of a dataset. */
export function rowCountQuery(workspace: number, dataset: number) {
  return queryOptions({
    queryKey: [...rowsKey(workspace, dataset), 'count'],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/datasets/{dataset_id}/rows', { params: { path: { dataset_id: dataset }, query: { per_page: 1 } }, signal }))).total,
  })
}

export function isDraft({ version_number }: Pick<Dataset, 'version_number'>): boolean {
  return version_number < 0
}

export function versionName(dataset: Pick<Dataset, 'version_number'>): string {
  return isDraft(dataset) ? 'Draft' : `Version ${dataset.version_number}`
}
