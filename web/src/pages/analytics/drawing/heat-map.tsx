import { cellParts, firstKey, textAt, valueAt } from '../model/rows'
import { formatOf } from '../model/units'
import type { DrawingProps } from './types'

/** Two groups as a matrix. The darker a cell, the higher its number. */
export function HeatMap({ chart, answer, height = 200, onNarrow }: DrawingProps) {
  const key = firstKey(answer)
  const format = formatOf(answer.series[0]?.unit)
  const rows = unique(answer.data.map((row) => textAt(row, 'label')))
  const columns = unique(answer.data.map((row) => textAt(row, 'secondaryLabel')))
  const cells = new Map(answer.data.map((row) => [`${textAt(row, 'label')}\n${textAt(row, 'secondaryLabel')}`, row]))
  const most = Math.max(...answer.data.map((row) => valueAt(row, key) ?? 0), Number.MIN_VALUE)
  return (
    <div tabIndex={0} role="region" aria-label={chart.title} className="overflow-auto" style={{ maxHeight: height + 60 }}>
      <table className="w-full border-separate border-spacing-0.5 text-xs">
        <thead>
          <tr>
            <td />
            {columns.map((name) => <th key={name} scope="col" title={name} className="max-w-24 truncate px-1 py-1 text-center font-medium text-dim">{name || '(none)'}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((name) => (
            <tr key={name}>
              <th scope="row" title={name} className="max-w-32 truncate pr-2 text-left font-medium text-dim">{name || '(none)'}</th>
              {columns.map((column) => {
                const row = cells.get(`${name}\n${column}`)
                const value = row === undefined ? null : valueAt(row, key)
                if (row === undefined || value === null) return <td key={column} className="rounded bg-sunken text-center text-faint">·</td>
                return (
                  <td key={column} className="tabular rounded text-center" style={{ background: `color-mix(in srgb, var(--accent) ${6 + Math.round((Math.max(value, 0) / most) * 38)}%, var(--surface))` }}>
                    {onNarrow ? <button type="button" className="h-7 w-full rounded px-1 hover:underline" title={`Filter by ${name} and ${column}`} onClick={() => onNarrow(cellParts(chart, row))}>{format(value)}</button> : <span className="block px-1 py-1.5">{format(value)}</span>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function unique(names: string[]): string[] {
  return [...new Set(names)]
}
