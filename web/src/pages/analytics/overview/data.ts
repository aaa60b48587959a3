import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { narrow, requestBody, spanBefore, timeSpan, type QueryState } from '@/query/state'
import { askCharts, type Asked } from '../model/ask'
import { chartRequest, type ChartDefinition } from '../model/definition'
import { planFor } from '../model/plan'
import { chartsBy, errorTypeChart, modelChart } from './charts'

export type Analytics = Schemas['AnalyticsResponse']

/** Charts with their numbers. */
export interface Shown extends Asked {
  charts: ChartDefinition[]
}

/** The totals and rankings of the query. */
export function useAnalytics(state: QueryState, metadataKey: string | undefined) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'analytics', 'payload', state, metadataKey],
    queryFn: ({ signal }) => {
      const body = { ...requestBody(state), ...(metadataKey === undefined ? {} : { metadata_cost_breakdown_key: metadataKey }) }
      return call(api.POST('/api/public/v2/requests/analytics', { body, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

/** The numbers over time, and those of the models. */
export function useTimeCharts(state: QueryState, by: string | undefined) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'analytics', 'time', state, by],
    queryFn: async ({ signal }): Promise<Shown> => {
      const charts = chartsBy(by)
      const now = Date.now()
      const all = [...charts, modelChart, errorTypeChart]
      // Charts over the same subset of requests are requested together.
      const asked = await Promise.all([...new Set(all.map(({ q }) => q))].map((q) => askCharts(state, all.filter((chart) => chart.q === q).map(chartRequest), { q, signal, now })))
      return { charts, plan: planFor(state, now), answers: new Map(asked.flatMap(({ answers }) => [...answers])) }
    },
    placeholderData: keepPreviousData,
  })
}

/** The totals of the previous period, or nothing if the range has no start. */
export function usePrevious(state: QueryState) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'analytics', 'previous', state],
    queryFn: ({ signal }) => {
      const span = spanBefore(state)
      if (span === null) throw new Error('the range has no start')
      return call(api.POST('/api/public/v2/requests/analytics', { body: requestBody(narrow({ q: state.q, sources: state.sources }, span.from, span.to)), signal }))
    },
    enabled: timeSpan(state).from !== null,
    staleTime: 60_000,
  })
}
