import { useState } from 'react'
import { percent } from '@/lib/format'
import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { Swatch } from '@/ui/chart-parts'
import { firstKey, pathOf, pathParts, valueAt } from '../model/rows'
import { growTree, type Branch } from '../model/tree'
import { formatOf } from '../model/units'
import { arc } from './arc'
import type { DrawingProps } from './types'

interface Piece {
  branch: Branch
  from: number
  to: number
  level: number
  /** The index of its first level, which determines the colour. */
  top: number
}

/** Nested groups as rings. */
export function Sunburst({ chart, answer, height = 200, onNarrow }: DrawingProps) {
  const theme = useChartTheme()
  const [over, setOver] = useState<Branch | null>(null)
  const key = firstKey(answer)
  const format = formatOf(answer.series[0]?.unit)
  const tree = growTree(answer.data.map((row) => ({ path: pathOf(row), value: Math.max(valueAt(row, key) ?? 0, 0) })))
  const total = tree.reduce((sum, { value }) => sum + value, 0)
  const levels = Math.max(1, ...answer.data.map((row) => pathOf(row).length))
  const ring = 0.72 / levels
  const pick = (branch: Branch) => onNarrow?.(pathParts(chart, branch.path))
  const share = (branch: Branch) => (total === 0 ? 0 : branch.value / total)
  return (
    <div className="flex flex-wrap items-center gap-4">
      <svg viewBox="-1 -1 2 2" role="img" aria-label={chart.title} className="mx-auto shrink-0" style={{ width: height + 40, height: height + 40 }} onMouseLeave={() => setOver(null)}>
        {piecesOf(tree, total).map(({ branch, from, to, level, top }) => (
          <path
            key={branch.path.join('\n')}
            d={arc(from, to, 0.26 + level * ring, 0.26 + (level + 1) * ring)}
            fill={`color-mix(in srgb, ${seriesColour(top, theme)} ${100 - level * 24}%, var(--surface))`}
            stroke="var(--surface)"
            strokeWidth="0.01"
            className={onNarrow && 'cursor-pointer hover:opacity-80'}
            onMouseEnter={() => setOver(branch)}
            onClick={() => pick(branch)}
          >
            <title>{`${branch.path.join(' › ')}: ${format(branch.value)}`}</title>
          </path>
        ))}
        <text textAnchor="middle" dominantBaseline="central" fontSize="0.13" className="fill-ink font-semibold">{format(over?.value ?? total)}</text>
      </svg>
      <div className="min-w-44 flex-1 text-[13px]">
        <p className="mb-1 h-5 truncate text-dim">{over === null ? '' : `${over.path.join(' › ')}, ${percent(share(over))}`}</p>
        <ul tabIndex={0} aria-label={`${chart.title}: inner ring`} className="overflow-y-auto" style={{ maxHeight: height }}>
          {tree.map((branch, index) => (
            <li key={branch.name}>
              <button type="button" disabled={onNarrow === undefined} className="flex w-full items-center gap-2 rounded px-1.5 py-0.5 text-left enabled:hover:bg-hover" onClick={() => pick(branch)} onMouseEnter={() => setOver(branch)}>
                <Swatch colour={seriesColour(index, theme)} />
                <span className="min-w-0 flex-1 truncate">{branch.name}</span>
                <span className="tabular text-dim">{format(branch.value)}</span>
                <span className="tabular w-10 text-right text-faint">{percent(share(branch))}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The segments of all rings, each within the range of its parent. */
function piecesOf(tree: Branch[], total: number): Piece[] {
  const pieces: Piece[] = []
  const walk = (branches: Branch[], start: number, level: number, top: number | null) => {
    let from = start
    branches.forEach((branch, index) => {
      const to = from + (total === 0 ? 0 : branch.value / total)
      const number = top ?? index
      if (to > from) pieces.push({ branch, from, to, level, top: number })
      walk(branch.branches, from, level + 1, number)
      from = to
    })
  }
  walk(tree, 0, 0, null)
  return pieces
}
