import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { requestBody, timeSpan, type QueryState } from '@/query/state'
import { askCharts } from '../model/ask'
import { chartRequest } from '../model/definition'
import { modelChart, timeCharts } from './charts'

export type Analytics = Schemas['AnalyticsResponse']

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
export function useTimeCharts(state: QueryState) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'analytics', 'time', state],
    queryFn: ({ signal }) => askCharts(state, [...timeCharts, modelChart].map(chartRequest), { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The totals of the time before, as long as what is shown; nothing where that has no beginning. */
export function usePrevious(state: QueryState) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'analytics', 'previous', state],
    queryFn: ({ signal }) => {
      const now = Date.now()
      const { from, to } = timeSpan(state, now)
      if (from === null) throw new Error('the range has no beginning')
      const before = { q: state.q, from: new Date(2 * from - (to ?? now)).toISOString(), to: new Date(from - 1).toISOString() }
      return call(api.POST('/api/public/v2/requests/analytics', { body: requestBody(before), signal }))
    },
    enabled: timeSpan(state).from !== null,
    staleTime: 60_000,
  })
}
