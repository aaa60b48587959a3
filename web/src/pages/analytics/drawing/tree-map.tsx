import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { firstKey, pathOf, pathParts, valueAt } from '../model/rows'
import { growTree, squarify, type Box, type Branch } from '../model/tree'
import { formatOf } from '../model/units'
import type { DrawingProps } from './types'

interface Tile {
  branch: Branch
  box: Box
  colour: string
}

// The chart is twice as wide as high; boxes are positioned in percent.
const proportion = 2

/** Nested groups as areas, with one colour per top-level group. */
export function TreeMap({ chart, answer, height = 200, onNarrow }: DrawingProps) {
  const theme = useChartTheme()
  const key = firstKey(answer)
  const format = formatOf(answer.series[0]?.unit)
  const tree = growTree(answer.data.map((row) => ({ path: pathOf(row), value: Math.max(valueAt(row, key) ?? 0, 0) })))
  const tiles = tilesOf(tree, (index) => seriesColour(index, theme))
  return (
    <div role="group" aria-label={chart.title} className="relative" style={{ height: height + 40 }}>
      {tiles.map(({ branch, box, colour }) => {
        const name = branch.path.join(' › ')
        const readable = box.width > 9 * proportion && box.height > 9
        return (
          <button
            key={name}
            type="button"
            disabled={onNarrow === undefined}
            title={`${name}: ${format(branch.value)}`}
            onClick={() => onNarrow?.(pathParts(chart, branch.path))}
            className="absolute flex flex-col items-start overflow-hidden rounded-sm border border-surface px-1 py-0.5 text-left text-xs leading-4 text-ink hover:brightness-95"
            style={{ left: `${box.x / proportion}%`, top: `${box.y}%`, width: `${box.width / proportion}%`, height: `${box.height}%`, background: `color-mix(in srgb, ${colour} 32%, var(--surface))`, borderTopColor: colour, borderTopWidth: 3 }}
          >
            {!readable && <span className="sr-only">{name}</span>}
            {readable && <span className="w-full truncate font-medium">{branch.path.at(-1)}</span>}
            {readable && box.height > 17 && <span className="tabular w-full truncate">{format(branch.value)}</span>}
            {readable && box.height > 25 && <span className="w-full truncate">{branch.path.slice(0, -1).join(' › ')}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** The leaves with their positions, in one area per top-level group. */
function tilesOf(tree: Branch[], colour: (index: number) => string): Tile[] {
  const areas = squarify(tree.map(({ value }) => value), { x: 0, y: 0, width: 100 * proportion, height: 100 })
  return tree.flatMap((top, index) => place(top, areas[index] ?? { x: 0, y: 0, width: 0, height: 0 }, colour(index)))
}

function place(branch: Branch, box: Box, colour: string): Tile[] {
  if (branch.branches.length === 0) return box.width > 0 ? [{ branch, box, colour }] : []
  const areas = squarify(branch.branches.map(({ value }) => value), box)
  return branch.branches.flatMap((one, index) => place(one, areas[index] ?? box, colour))
}
