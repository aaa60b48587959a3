import { kindOf } from '../model/draft'
import { groupsNote } from '../model/rest'
import { DataTable } from './data-table'
import { Distribution } from './distribution'
import { HeatMap } from './heat-map'
import { Numbers } from './numbers'
import { Pie } from './pie'
import { RankedList } from './ranked-list'
import { Sunburst } from './sunburst'
import { OverTime } from './over-time'
import { TreeMap } from './tree-map'
import type { DrawingProps } from './types'

/** A chart of any kind with its numbers, or the same as a table. */
export function Drawing({ asTable = false, ...props }: DrawingProps & { asTable?: boolean }) {
  if (props.answer.data.length === 0) return <p className="grid h-full min-h-24 place-items-center text-faint">No data in this range</p>
  const note = groupsNote(props.chart, props.answer)
  return (
    <>
      {asTable ? <DataTable {...props} /> : <Drawn {...props} />}
      {note !== null && <p className="mt-1 text-right text-xs text-faint">{note}</p>}
    </>
  )
}

function Drawn(props: DrawingProps) {
  switch (kindOf(props.chart)) {
    case 'time-bars':
    case 'time-line':
    case 'time-area': return <OverTime {...props} />
    case 'ranking': return <RankedList {...props} />
    case 'pie': return <Pie {...props} />
    case 'donut': return <Pie {...props} hole />
    case 'number': return <Numbers {...props} />
    case 'histogram': return <Distribution {...props} />
    case 'heatmap': return <HeatMap {...props} />
    case 'treemap': return <TreeMap {...props} />
    case 'sunburst': return <Sunburst {...props} />
  }
}
