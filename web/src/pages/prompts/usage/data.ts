import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { addFilter, requestBody, type QueryState } from '@/query/state'
import { promptsKey } from '@/template/data'

/** The query state for the requests of a prompt, or of one of its versions. */
export function promptState(prompt: number, { range, from, to, sources }: QueryState, version?: string) {
  const all: Pick<QueryState, keyof QueryState> = addFilter({ range, from, to, sources } as QueryState, 'prompt_id', String(prompt))
  return { ...(version === undefined ? all : addFilter(all, 'version', version)) }
}

const byVersion = { groupByField: 'prompt_version_number', limit: 10 } as const
const line = { ...byVersion, chartType: 'line', timeSeries: true } as const
const bar = { ...byVersion, chartType: 'bar' } as const
const latency = { metric: 'avg', metricField: 'latency_ms' } as const
const p95 = { metric: 'percentile', metricField: 'latency_ms', percentile: 95 } as const
const tokens = { metric: 'sum', metricField: 'total_tokens' } as const
const models = { id: 'models', chartType: 'heatmap', metric: 'count', groupByField: 'prompt_version_number', secondaryGroupByField: 'engine', limit: 50 } as const
const cost = { metric: 'sum', metricField: 'cost' } as const

type Charts = Record<string, Schemas['ChartResponse'] | undefined>

async function charts(state: QueryState, customCharts: Schemas['CustomChart'][]): Promise<Charts> {
  const answer = await call(api.POST('/api/public/v2/requests/analytics/custom-analytics', { body: { ...requestBody(state), customCharts } }))
  return Object.fromEntries(answer.customCharts.map((chart) => [chart.id, chart]))
}

/** Requests, tokens, models, cost, latency and errors of each version. */
export function usageQuery(workspace: number, prompt: number, time: QueryState) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), String(prompt), 'usage', time],
    queryFn: async (): Promise<Charts> => {
      const state = promptState(prompt, time)
      const [all, errors] = await Promise.all([
        charts(state, [
          { id: 'requests', metric: 'count', ...line }, { id: 'cost', ...cost, ...line }, { id: 'latency', ...latency, ...line },
          { id: 'total-requests', metric: 'count', ...bar }, { id: 'total-cost', ...cost, ...bar }, { id: 'total-latency', ...latency, ...bar }, { id: 'total-p95', ...p95, ...bar },
          { id: 'total-tokens', ...tokens, ...bar }, models,
        ]),
        charts(addFilter(state, 'status', 'error'), [{ id: 'errors', metric: 'count', ...line }, { id: 'total-errors', metric: 'count', ...bar }]),
      ])
      return { ...all, ...errors }
    },
    placeholderData: (previous) => previous,
  })
}

/** The scores of a prompt that have a column; prompts rarely have more. */
const mostScores = 5

/** Scores by name, the most frequent first, with the mean of each version. */
export type Scores = { name: string; chart: Schemas['ChartResponse'] | undefined }[]

/** The mean of each score of each version. */
export function scoresQuery(workspace: number, prompt: number, time: QueryState) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), String(prompt), 'scores', time],
    queryFn: async (): Promise<Scores> => {
      const state = promptState(prompt, time)
      const filter_group = JSON.stringify(requestBody(state).filter_group)
      const { values } = await call(api.GET('/api/public/v2/requests/suggestions', { params: { query: { field: 'score_names', filter_group } } }))
      const names = values.slice(0, mostScores)
      if (names.length === 0) return []
      const found = await charts(state, names.map((name, index) => ({ id: `score-${index}`, metric: 'avg', metricField: 'scores', metricNestedKey: name, ...bar })))
      return names.map((name, index) => ({ name, chart: found[`score-${index}`] }))
    },
    placeholderData: (previous) => previous,
    staleTime: 60_000,
  })
}
