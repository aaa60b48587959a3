import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { isObject } from '@/lib/json'
import { rootOf } from './model/node-facts'
import type { Search } from './search'

export type WorkflowItem = Schemas['WorkflowItem']
export type VersionItem = Schemas['WorkflowVersionItem']
export type Execution = Schemas['ExecutionItem']
export type ExecutionDetails = Schemas['ExecutionDetails']

/** The prefix of all query keys about the workflows of a workspace. */
export const workflowsKey = (workspace: number) => ['w', workspace, 'workflows'] as const
export const workflowKey = (workspace: number, id: number) => [...workflowsKey(workspace), id] as const

const pageSize = 100
const mostPages = 20

/** All workflows, last updated first. The server has no search, so all of them are loaded. */
export function workflowsQuery(workspace: number) {
  return queryOptions({
    queryKey: [...workflowsKey(workspace), 'list'],
    queryFn: async ({ signal }) => {
      const items: WorkflowItem[] = []
      for (let page = 1; page <= mostPages; page++) {
        const answer = await call(api.GET('/workflows', { params: { query: { page, per_page: pageSize, sort_by: 'updated_at' } }, signal }))
        items.push(...answer.items)
        if (!answer.has_next) break
      }
      return items
    },
  })
}

const identify = (id: number) => ({ workflow_id_or_name: String(id) })

/** One version with its nodes. Defaults to the latest. */
export function versionQuery(workspace: number, id: number, version?: number) {
  return queryOptions({
    queryKey: [...workflowKey(workspace, id), 'version', version ?? 'latest'],
    queryFn: ({ signal }) => call(api.GET('/workflows/{workflow_id_or_name}', { params: { path: identify(id), query: { version } }, signal })),
    // Numbered versions never change, but their labels do.
    staleTime: version === undefined ? 10_000 : 60_000,
  })
}

export function versionsQuery(workspace: number, id: number, page = 1) {
  return queryOptions({
    queryKey: [...workflowKey(workspace, id), 'versions', page],
    queryFn: ({ signal }) => call(api.GET('/workflows/{workflow_id_or_name}/versions', { params: { path: identify(id), query: { page, per_page: pageSize } }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function labelsQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: [...workflowKey(workspace, id), 'labels'],
    queryFn: async ({ signal }) => (await call(api.GET('/workflows/{workflow_id_or_name}/labels', { params: { path: identify(id) }, signal }))).release_labels,
  })
}

const runsPageSize = 50

export function runsQuery(workspace: number, id: number, { page = 1, status, dry }: Pick<Search, 'page' | 'status' | 'dry'> = {}) {
  return queryOptions({
    queryKey: [...workflowKey(workspace, id), 'runs', page, status ?? 'any', dry ?? 'exclude'],
    queryFn: ({ signal }) =>
      call(api.GET('/workflows/{workflow_id_or_name}/executions', { params: { path: identify(id), query: { page, per_page: runsPageSize, status, dry_runs: dry } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some((run) => run.status === 'RUNNING') ? 2000 : false),
  })
}

/** A run, with what it runs. */
export function executionQuery(workspace: number, run: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'workflow-execution', run],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/workflow-executions/{execution_id}', { params: { path: { execution_id: run } }, signal })),
    // Nothing changes after the end.
    staleTime: ({ state }) => (state.data !== undefined && state.data.status !== 'RUNNING' ? Infinity : 0),
  })
}

export type NodeStatus = 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'SKIPPED'

export interface NodeResult {
  status: NodeStatus
  value: unknown
  error_message: string | null
  raw_error_message: string | null
  is_output_node: boolean
  /** How often it has failed and was, or will be, run again. */
  retries?: number
}

export type Results = Record<string, NodeResult>

/** The results of the nodes of a run, polled while it is in progress. */
export function resultsQuery(workspace: number, run: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'workflow-run', run],
    queryFn: async ({ signal }) => {
      const query = { workflow_version_execution_id: run, return_all_outputs: true }
      return readResults(await call(api.GET('/workflow-version-execution-results', { params: { query }, signal })))
    },
    refetchInterval: ({ state }) => (state.data !== undefined && !hasEnded(state.data) ? 500 : false),
    staleTime: ({ state }) => (state.data !== undefined && hasEnded(state.data) ? Infinity : 0),
  })
}

/** The most requests whose cost is added up. */
const mostRequests = 25

/** The trace of a run that has ended, and the prices of its requests. Spans are stored shortly after the run ends. */
export function runTraceQuery(workspace: number, trace: string) {
  return queryOptions({
    queryKey: ['w', workspace, 'workflow-run-trace', trace],
    queryFn: async ({ signal }) => {
      const { spans } = await call(api.GET('/api/public/v2/traces/{trace_id}', { params: { path: { trace_id: trace } }, signal }))
      const wanted = [...new Set(spans.flatMap(({ request_log_id }) => (request_log_id === null ? [] : [request_log_id])))]
      const details = await Promise.all(wanted.slice(0, mostRequests).map((id) => call(api.GET('/api/public/v2/requests/{request_id}', { params: { path: { request_id: id } }, signal }))))
      return { spans, prices: Object.fromEntries(details.map(({ request_id, price }) => [request_id, price ?? 0])), complete: rootOf(spans)?.status.status_code !== 'StatusCode.UNSET', priced: wanted.length <= mostRequests }
    },
    refetchInterval: ({ state }) => (state.data?.complete !== true && state.dataUpdateCount + state.errorUpdateCount < 10 ? 1000 : false),
    retry: false,
    staleTime: 60_000,
  })
}

function readResults(answer: unknown): Results {
  return isObject(answer) ? (answer as unknown as Results) : {}
}

export function hasEnded(results: Results): boolean {
  return Object.values(results).every(({ status }) => status !== 'QUEUED' && status !== 'RUNNING')
}
