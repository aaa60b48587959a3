import { cn } from '@/lib/cn'
import { bucketName } from '@/ui/chart-time'
import { timeTable } from '../model/answers'
import { fieldOf, metricFields } from '@/query/fields'
import { cellParts, partOf, pathOf, pathParts, textAt, valueAt } from '../model/rows'
import { formatOf } from '../model/units'
import type { Part } from '../model/pick'
import type { DrawingProps } from './types'

interface TableRow {
  names: string[]
  values: (number | null)[]
  /** The filter applied by clicking the row. */
  parts: Part[]
}

const mostRows = 500

/** The numbers of any chart as a table, also for users who cannot see the chart. */
export function DataTable(props: DrawingProps) {
  const { chart, answer, height = 200, onNarrow } = props
  const rows = rowsOf(props)
  const heads = headsOf(props, rows[0]?.names.length ?? 1)
  return (
    <div tabIndex={0} role="region" aria-label={`${chart.title}, as a table`} className="overflow-auto" style={{ maxHeight: height + 40 }}>
      <table className="w-full border-collapse text-left text-[13px]">
        <thead>
          <tr className="sticky top-0 bg-surface text-xs text-faint">
            {heads.map((head, index) => <th key={index} scope="col" className="px-2 py-1 font-medium">{head}</th>)}
            {answer.series.map(({ key, label }) => <th key={key} scope="col" className="px-2 py-1 text-right font-medium">{label}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, index) => (
            <tr key={index} className="border-t border-line">
              {row.names.map((name, at) => (
                <td key={at} className="max-w-64 truncate px-2 py-1">
                  {at === 0 && row.parts.length > 0 && onNarrow ? <button type="button" className="text-left hover:underline" title={`Filter by ${row.names.join(', ')}`} onClick={() => onNarrow(row.parts)}>{name || '(none)'}</button> : name}
                </td>
              ))}
              {row.values.map((value, at) => <td key={at} className={cn('tabular px-2 py-1 text-right whitespace-nowrap', value === null && 'text-faint')}>{value === null ? '–' : formatOf(answer.series[at]?.unit)(value)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && <p className="px-2 py-1 text-xs text-faint">Showing the first {mostRows} of {rows.length.toLocaleString('en-US')} rows</p>}
    </div>
  )
}

function rowsOf({ chart, answer, plan }: DrawingProps): TableRow[] {
  if (chart.timeSeries) {
    const { times, series, step, utc } = timeTable(chart, answer, plan)
    return times.map((start, at) => ({ names: [bucketName(start, step, utc)], values: series.map(({ values }) => values[at] ?? null), parts: [] }))
  }
  return answer.data.map((row) => {
    const values = answer.series.map(({ key }) => valueAt(row, key))
    if (chart.chartType === 'heatmap') return { names: [textAt(row, 'label'), textAt(row, 'secondaryLabel')], values, parts: cellParts(chart, row) }
    if (chart.hierarchyFields !== undefined) return { names: pathOf(row), values, parts: pathParts(chart, pathOf(row)) }
    return { names: [textAt(row, 'label')], values, parts: partOf(chart, row) }
  })
}

function headsOf({ chart, plan }: DrawingProps, count: number): string[] {
  if (chart.timeSeries) return [plan.step >= 86_400_000 ? 'Time (UTC)' : 'Time']
  if (chart.histogramField !== undefined) return [(chart.histogramNestedKey === undefined ? metricFields[chart.histogramField] : `Score ${chart.histogramNestedKey}`) + (fieldOf(chart.histogramField).unit === 'ms' ? ' (ms)' : '')]
  return Array.from({ length: count }, (_, index) => (index === 0 ? 'Name' : ''))
}
