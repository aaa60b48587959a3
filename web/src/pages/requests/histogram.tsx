import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { HistogramBars } from '@/query/histogram-bars'
import { barsOf, partsOf, planFor } from '@/query/histogram-data'
import { requestBody } from '@/query/state'
import type { LogQuery } from './log-query'

const customCharts: Schemas['CustomChart'][] = [{ id: 'requests', chartType: 'bar', metric: 'count', timeSeries: true, groupByField: 'status' }]

/** Requests over time, with errors in a different colour. Dragging selects a time range. */
export function Histogram({ log, ready, live, onNarrow }: {
  log: LogQuery
  /** Whether the rows are loaded, because they come first. */
  ready: boolean
  live: boolean
  onNarrow: (from: number, to: number) => void
}) {
  const { state, epoch } = log
  const answer = useQuery({
    queryKey: ['w', log.workspace, 'requests', 'histogram', state, epoch],
    queryFn: async ({ signal }) => {
      const plan = planFor(state, live ? Date.now() : epoch)
      const answers = await Promise.all(partsOf(state, plan).map((part) => call(api.POST('/api/public/v2/requests/analytics/custom-analytics', { body: { ...requestBody(part), customCharts }, signal }))))
      return barsOf(answers.flatMap(({ customCharts }) => customCharts[0]?.data ?? []) as Record<string, unknown>[], plan)
    },
    enabled: ready,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchInterval: live ? 5000 : false,
  })
  if (answer.data === undefined || answer.data.bars.length === 0) return <div className="h-16" />
  return <HistogramBars noun="Requests" {...answer.data} faded={answer.isPlaceholderData} onNarrow={onNarrow} />
}
