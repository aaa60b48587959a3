import { percent } from '@/lib/format'
import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { Swatch } from '@/ui/chart-parts'
import type { Row } from '../model/answers'
import { comesToTotal, isRestRow, restColour } from '../model/rest'
import { firstKey, partOf, textAt, valueAt } from '../model/rows'
import { formatOf } from '../model/units'
import { arc } from './arc'
import { colourPlaces } from './colour-places'
import type { DrawingProps } from './types'

/** The groups as parts of a whole, with their names and shares. */
export function Pie({ chart, answer, height = 200, hole = false, onNarrow }: DrawingProps & { hole?: boolean }) {
  const theme = useChartTheme()
  const key = firstKey(answer)
  const format = formatOf(answer.series[0]?.unit)
  const group = chart.groupByField ?? `metadata ${chart.groupByMetadataKey ?? ''}`
  const places = colourPlaces(group, answer.data.filter((row) => !isRestRow(row)).map((row) => textAt(row, 'groupKey') || textAt(row, 'label')))
  const colourOf = (row: Row, index: number) => (isRestRow(row) ? `var(${restColour(textAt(row, 'groupKey'))})` : seriesColour(places[index] ?? index, theme))
  const slices = answer.data.map((row, index) => ({ row, name: textAt(row, 'label') || '(none)', value: Math.max(valueAt(row, key) ?? 0, 0), colour: colourOf(row, index), picks: onNarrow !== undefined && !isRestRow(row) }))
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const ends = slices.map((_, index) => slices.slice(0, index + 1).reduce((sum, { value }) => sum + value, 0) / (total || 1))
  const pick = (index: number) => onNarrow?.(partOf(chart, slices[index]?.row ?? {}))
  return (
    <div className="flex flex-wrap items-center gap-4">
      <svg viewBox="-1 -1 2 2" role="img" aria-label={chart.title} className="mx-auto shrink-0" style={{ width: height, height }}>
        {slices.map((slice, index) => slice.value > 0 && (
          <path key={index} d={arc(ends[index - 1] ?? 0, ends[index] ?? 0, hole ? 0.6 : 0, 0.98)} fill={slice.colour} className={slice.picks ? 'cursor-pointer hover:opacity-80' : undefined} stroke="var(--surface)" strokeWidth={slices.length === 1 ? 0 : 0.012} onClick={() => slice.picks && pick(index)}>
            <title>{`${slice.name}: ${format(slice.value)}, ${percent(slice.value / total)}`}</title>
          </path>
        ))}
        {hole && comesToTotal(chart) && <text textAnchor="middle" dominantBaseline="central" fontSize="0.26" className="fill-ink font-semibold">{format(total)}</text>}
      </svg>
      <ul tabIndex={0} aria-label={`${chart.title}: parts`} className="min-w-44 flex-1 overflow-y-auto text-[13px]" style={{ maxHeight: height }}>
        {slices.map((slice, index) => {
          const inner = (
            <>
              <Swatch colour={slice.colour} />
              <span className="min-w-0 flex-1 truncate">{slice.name}</span>
              <span className="tabular text-dim">{format(slice.value)}</span>
              <span className="tabular w-10 text-right text-faint">{percent(total === 0 ? 0 : slice.value / total)}</span>
            </>
          )
          const look = 'flex w-full items-center gap-2 rounded px-1.5 py-0.5 text-left'
          return (
            <li key={index}>
              {slice.picks ? <button type="button" className={`${look} hover:bg-hover`} title={`Filter by ${slice.name}`} onClick={() => pick(index)}>{inner}</button> : <div className={look}>{inner}</div>}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
