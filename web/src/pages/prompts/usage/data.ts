import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { addFilter, requestBody, type QueryState } from '@/query/state'
import { promptsKey } from '@/template/data'
import { averageScore } from './series'

/** The query state for the requests of a prompt, or of one of its versions. */
export function promptState(prompt: number, { range, from, to }: QueryState, version?: string) {
  const all: Pick<QueryState, keyof QueryState> = addFilter({ range, from, to } as QueryState, 'prompt_id', String(prompt))
  return { ...(version === undefined ? all : addFilter(all, 'version', version)) }
}

const byVersion = { groupByField: 'prompt_version_number', limit: 10 } as const
const line = { ...byVersion, chartType: 'line', timeSeries: true } as const
const bar = { ...byVersion, chartType: 'bar' } as const
const latency = { metric: 'avg', metricField: 'latency_ms' } as const
const p95 = { metric: 'percentile', metricField: 'latency_ms', percentile: 95 } as const
const cost = { metric: 'sum', metricField: 'cost' } as const

type Charts = Record<string, Schemas['ChartResponse'] | undefined>

async function charts(state: QueryState, customCharts: Schemas['CustomChart'][]): Promise<Charts> {
  const answer = await call(api.POST('/api/public/v2/requests/analytics/custom-analytics', { body: { ...requestBody(state), customCharts } }))
  return Object.fromEntries(answer.customCharts.map((chart) => [chart.id, chart]))
}

/** Requests, cost, latency and errors of each version. */
export function usageQuery(workspace: number, prompt: number, time: QueryState) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), String(prompt), 'usage', time],
    queryFn: async (): Promise<Charts> => {
      const state = promptState(prompt, time)
      const [all, errors] = await Promise.all([
        charts(state, [
          { id: 'requests', metric: 'count', ...line }, { id: 'cost', ...cost, ...line }, { id: 'latency', ...latency, ...line },
          { id: 'total-requests', metric: 'count', ...bar }, { id: 'total-cost', ...cost, ...bar }, { id: 'total-latency', ...latency, ...bar }, { id: 'total-p95', ...p95, ...bar },
        ]),
        charts(addFilter(state, 'status', 'error'), [{ id: 'errors', metric: 'count', ...line }, { id: 'total-errors', metric: 'count', ...bar }]),
      ])
      return { ...all, ...errors }
    },
    placeholderData: (previous) => previous,
  })
}

/** The number of recent requests that the average score is taken from. */
export const scoredRequests = 50
const perPage = 25

/** The average score of a version, or null without scores. */
export function scoreQuery(workspace: number, prompt: number, time: QueryState, version: string) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), String(prompt), 'score', version, time],
    queryFn: async () => {
      const body = { ...requestBody(promptState(prompt, time, version)), per_page: perPage }
      const pages = Array.from({ length: scoredRequests / perPage }, (_, index) => call(api.POST('/api/public/v2/requests/search', { body: { ...body, page: index + 1 } })))
      return averageScore((await Promise.all(pages)).flatMap(({ items }) => items))
    },
    staleTime: 60_000,
  })
}
