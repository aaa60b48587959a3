import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { HistogramBars } from '@/query/histogram-bars'
import { barsOf, partsOf, planFor } from '@/query/histogram-data'
import { traceBody } from '@/query/state'
import type { ListQuery } from './list-query'

const customCharts: Schemas['TraceChart'][] = [{ id: 'traces', chartType: 'bar', metric: 'count', timeSeries: true, groupByField: 'trace_status' }]

/** Traces over time, with failed ones in a different colour. */
export function Histogram({ list, ready, onNarrow }: {
  list: ListQuery
  /** Whether the rows are loaded, because they come first. */
  ready: boolean
  onNarrow: (from: number, to: number) => void
}) {
  const { workspace, state, epoch } = list
  const answer = useQuery({
    queryKey: ['w', workspace, 'traces', 'histogram', state, epoch],
    queryFn: async ({ signal }) => {
      const plan = planFor(state, epoch)
      const answers = await Promise.all(partsOf(state, plan).map((part) => call(api.POST('/api/public/v2/traces/analytics/custom-analytics', { body: { ...traceBody(part, epoch), customCharts }, signal }))))
      return barsOf(answers.flatMap(({ customCharts: charts }) => charts[0]?.data ?? []) as Record<string, unknown>[], plan)
    },
    enabled: ready,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  if (answer.data === undefined || answer.data.bars.length === 0) return <div className="h-16" />
  return <HistogramBars noun="Traces" {...answer.data} faded={answer.isPlaceholderData} onNarrow={onNarrow} />
}
