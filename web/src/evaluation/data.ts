import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'

export type Evaluation = Schemas['EvaluationItem']
export type Report = Schemas['ReportResponse']
export type Column = Schemas['ScoredColumn']
export type Run = Schemas['RunItem']
export type RowsPage = Schemas['EvaluationRowsResponse']
export type Cell = Schemas['EvaluationCell']
export type Comparison = Schemas['ComparisonResponse']
export type OpenCell = Schemas['OpenCell']
export type Agreement = Schemas['AgreementPair']

/** The prefix of all query keys about evaluations, so that a change can invalidate all of them. */
export const evaluationsKey = (workspace: number) => ['w', workspace, 'evaluations'] as const
export const evaluationKey = (workspace: number, id: number) => [...evaluationsKey(workspace), id] as const

const evaluationsPerPage = 25

export interface Listing {
  q?: string
  status?: 'active' | 'deleted' | 'all'
  sort?: 'updated' | 'created' | 'name'
  page?: number
}

/** A page of evaluations, each with its latest runs. */
export function evaluationsQuery(workspace: number, { q, status = 'active', sort = 'updated', page = 1 }: Listing) {
  return queryOptions({
    queryKey: [...evaluationsKey(workspace), 'list', { q, status, sort, page }],
    queryFn: ({ signal }) => {
      const query = {
        name: q,
        status,
        page,
        per_page: evaluationsPerPage,
        include_runs: true,
        sort_by: sort === 'name' ? ('name' as const) : sort === 'created' ? ('created_at' as const) : ('updated_at' as const),
        sort_order: sort === 'name' ? ('asc' as const) : ('desc' as const),
      }
      return call(api.GET('/api/public/v2/evaluations', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.evaluations.some(({ runs }) => runs?.some((run) => run.status === 'RUNNING')) ? 2000 : false),
  })
}

/** The first cells that wait for the signed-in person, and the number of all. */
export function openCellsQuery(workspace: number) {
  return queryOptions({
    queryKey: [...evaluationsKey(workspace), 'open-cells'],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/evaluations/open-cells', { params: { query: { asked_of_me: true, per_page: 100 } }, signal })),
    refetchInterval: 10_000,
  })
}

const mostPages = 5

/** The evaluations that use a version of a dataset. The server has no such filter, so this searches the newest ones. */
export function evaluationsOfDatasets(workspace: number, group: number, datasets: number[]) {
  return queryOptions({
    queryKey: [...evaluationsKey(workspace), 'of-dataset', group, datasets],
    queryFn: async ({ signal }) => {
      const found: Evaluation[] = []
      for (let page = 1; page <= mostPages; page++) {
        const answer = await call(api.GET('/api/public/v2/evaluations', { params: { query: { page, per_page: 100 } }, signal }))
        found.push(...answer.evaluations.filter(({ dataset_id }) => dataset_id !== null && datasets.includes(dataset_id)))
        if (page >= answer.pages) break
      }
      return found
    },
    staleTime: 60_000,
  })
}

/** An evaluation or a run with its columns, polled while the run is in progress. */
export function reportQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, id), 'report'],
    queryFn: ({ signal }) => call(api.GET('/reports/{report_id}', { params: { path: { report_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'COMPLETED' ? false : state.data.status === 'WAITING' ? 3000 : 1000),
  })
}

const runsPerPage = 50

export function runsQuery(workspace: number, evaluation: number, page = 1) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, evaluation), 'runs', page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/evaluations/{evaluation_id}/runs', { params: { path: { evaluation_id: evaluation }, query: { page, per_page: runsPerPage } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some((run) => run.status === 'RUNNING') ? 1500 : false),
  })
}

export const rowsPerPage = 100

/** A page of the cells of a run, polled while it is in progress. */
export function rowsQuery(workspace: number, run: number, page: number, running: boolean) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, run), 'rows', page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/evaluations/{evaluation_id}/rows', { params: { path: { evaluation_id: run }, query: { page, per_page: rowsPerPage } }, signal })),
    refetchInterval: running ? 1500 : false,
  })
}

/** How far the judges of a run agree with people. */
export function agreementQuery(workspace: number, run: number, running: boolean) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, run), 'agreement'],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/evaluations/{evaluation_id}/agreement', { params: { path: { evaluation_id: run } }, signal })),
    refetchInterval: running ? 5000 : false,
  })
}

/** The differences between two runs, with rows page by page. */
export function comparisonQuery(workspace: number, before: number, after: number, page: number) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, after), 'compare', before, page],
    queryFn: ({ signal }) => fetchComparison(before, after, page, signal),
    staleTime: 60_000,
  })
}

export function fetchComparison(before: number, after: number, page: number, signal: AbortSignal): Promise<Comparison> {
  const params = { path: { evaluation_id: before }, query: { with: after, page, per_page: rowsPerPage } }
  return call(api.GET('/api/public/v2/evaluations/{evaluation_id}/compare', { params, signal }))
}
