import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { evaluationKey } from '@/evaluation/data'

export type ColumnUsage = Schemas['ColumnUsage']

/** What the requests of a run to models took, in total and by column. */
export function usageQuery(workspace: number, run: number, running: boolean) {
  return queryOptions({
    queryKey: [...evaluationKey(workspace, run), 'usage', running],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/evaluations/{evaluation_id}/usage', { params: { path: { evaluation_id: run } }, signal })),
    // Logs are stored shortly after the run ends.
    refetchInterval: ({ state }) => (running ? 5000 : state.dataUpdateCount < 3 ? 2000 : false),
    staleTime: 60_000,
    retry: false,
  })
}
