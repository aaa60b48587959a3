import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import type { QueryState } from '@/query/state'
import { Button } from '@/ui/button'
import { Loading } from '@/ui/page'
import { Drawing } from './drawing/drawing'
import type { ChartActions } from './drawing/types'
import { askCharts } from './model/ask'
import { chartRequest, type ChartDefinition } from './model/definition'

/** A custom chart over the query. Each loads on its own, so that a failure does not affect the others. */
export function ChartView({ chart, state, actions, asTable, height }: { chart: ChartDefinition; state: QueryState; actions: ChartActions; asTable?: boolean; height?: number }) {
  const { workspace_id: workspace } = useSession()
  // The title does not change the numbers.
  const request = { ...chartRequest(chart), id: 'chart', title: '' }
  const asked = useQuery({
    queryKey: ['w', workspace, 'analytics', 'chart', state, request, chart.q],
    queryFn: async ({ signal }) => {
      const { answers, plan } = await askCharts(state, [request], { q: chart.q, signal })
      // Keep the chart with its numbers: while another loads, the old numbers need the old chart.
      return { chart, plan, answer: answers.get('chart') }
    },
    placeholderData: keepPreviousData,
  })
  if (asked.isError) {
    return (
      <div role="alert" className="grid min-h-24 place-items-center gap-2 text-center text-[13px]">
        <p className="text-bad">{asked.error.message.replace(/^Chart 'chart': /, '')}</p>
        <Button small onClick={() => void asked.refetch()}>Try again</Button>
      </div>
    )
  }
  if (asked.data?.answer === undefined) return <Loading />
  const drawn = asked.isPlaceholderData ? asked.data.chart : chart
  return (
    <div className={cn('transition-opacity', asked.isPlaceholderData && 'opacity-60')}>
      <Drawing chart={drawn} answer={asked.data.answer} plan={asked.data.plan} asTable={asTable} height={height} {...actions} />
    </div>
  )
}
