import { BarList } from '@/ui/chart'
import { firstKey, partOf, textAt, valueAt } from '../model/rows'
import { formatOf } from '../model/units'
import { DataTable } from './data-table'
import { Ratios } from './numbers'
import type { DrawingProps } from './types'

/** The highest groups as bars or, with several measures, as a table. */
export function RankedList(props: DrawingProps) {
  const { chart, answer, onNarrow, height = 200 } = props
  if (answer.series.length > 1) {
    return (
      <>
        <DataTable {...props} />
        <Ratios answer={answer} />
      </>
    )
  }
  const key = firstKey(answer)
  return (
    <div tabIndex={0} role="group" aria-label={chart.title} className="overflow-y-auto pr-1" style={{ maxHeight: height + 40 }}>
      <BarList
        items={answer.data.map((row) => ({ name: textAt(row, 'label') || '(none)', key: textAt(row, 'groupKey') || textAt(row, 'label'), value: valueAt(row, key) ?? 0 }))}
        format={formatOf(answer.series[0]?.unit)}
        onPick={onNarrow && ((_, index) => onNarrow(partOf(chart, answer.data[index] ?? {})))}
      />
    </div>
  )
}
