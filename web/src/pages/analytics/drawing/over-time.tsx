import { useMemo } from 'react'
import { TimeChart, type Series } from '@/ui/chart'
import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { timeTable } from '../model/answers'
import type { ChartDefinition } from '../model/definition'
import { groupsOf } from '../model/pick'
import { comesToTotal, isRest, restColour, stacks } from '../model/rest'
import { formatOf } from '../model/units'
import { colourPlaces } from './colour-places'
import { Ratios } from './numbers'
import type { DrawingProps } from './types'

const statusColours: Record<string, string> = { SUCCESS: '--accent', WARNING: '--warn', ERROR: '--bad' }
// Errors are at the bottom of stacks, where they can be compared.
const statusOrder = ['ERROR', 'WARNING', 'SUCCESS']

/** A time series, with one series for each group or measure. */
export function OverTime({ chart, answer, plan, height = 200, onNarrow, ...actions }: DrawingProps) {
  const table = useMemo(() => timeTable(chart, answer, plan), [chart, answer, plan])
  const [group] = groupsOf(chart)
  const theme = useChartTheme()
  const series = useMemo(() => {
    const { groupByField, groupByMetadataKey } = chart
    const grouped = groupByField ?? groupByMetadataKey
    if (grouped === undefined) return table.series
    if (groupByField !== 'status') {
      const places = colourPlaces(groupByField ?? `metadata ${grouped}`, table.series.map(({ key }) => key).filter((key) => !isRest(key)))
      return table.series.map((one, index) => (isRest(one.key) ? { ...one, colour: restColour(one.key), rest: true } : { ...one, colour: seriesColour(places[index] ?? index, theme) }))
    }
    return [...table.series].sort((a, b) => statusOrder.indexOf(a.key) - statusOrder.indexOf(b.key)).map((one) => ({ ...one, label: one.label.toLowerCase(), colour: statusColours[one.key] }))
  }, [table, chart, theme]) satisfies (Series & { key: string })[]
  const pick = group === undefined || onNarrow === undefined ? undefined : (index: number) => {
    const found = series[index]
    // Group keys that conflict with members of the row have a prefix.
    if (found) onNarrow([{ group, value: found.key.replace(/^group:/, ''), label: table.series.find(({ key }) => key === found.key)?.label ?? '' }])
  }
  return (
    <>
      <TimeChart
        times={table.times}
        series={series}
        step={table.step}
        utc={table.utc}
        kind={timeKind(chart)}
        sum={comesToTotal(chart)}
        format={formatOf(answer.series[0]?.unit)}
        height={height}
        label={`${chart.title}, over time: ${series.map(({ label }) => label).join(', ')}`}
        onPick={pick}
        {...actions}
      />
      <Ratios answer={answer} />
    </>
  )
}

/** Groups of additive measures are stacked; all others are drawn side by side. */
function timeKind(chart: ChartDefinition) {
  if (chart.chartType === 'line') return 'line'
  if (chart.chartType === 'area') return stacks(chart) ? 'stacked-area' : 'area'
  return stacks(chart) ? 'stacked' : 'bars'
}
