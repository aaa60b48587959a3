import { ArrowDown, ArrowUp, Copy, Ellipsis, GripVertical, Maximize2, Pencil, Table2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { QueryState } from '@/query/state'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { Card } from '@/ui/page'
import { ChartView } from '../chart-view'
import type { ChartActions } from '../drawing/types'
import { widths, type ChartDefinition, type Width } from '../model/definition'
import { kindOf } from '../model/draft'

/** A chart of a dashboard with its menu. */
export function ChartCard({ chart, state, actions, may, first, last, full, onDrag, onEdit, onCopy, onWidth, onMove, onRemove }: {
  chart: ChartDefinition
  state: QueryState
  actions: ChartActions
  may: boolean
  first: boolean
  last: boolean
  /** Whether the dashboard has reached its chart limit. */
  full: boolean
  onDrag: (on: boolean) => void
  onEdit: () => void
  onCopy: () => void
  onWidth: (width: Width) => void
  onMove: (by: number) => void
  onRemove: () => void
}) {
  const [asTable, setAsTable] = useState(false)
  const width = chart.layout?.width ?? 'half'
  return (
    <Card
      className="h-full"
      title={<span title={chart.title} className="line-clamp-1">{chart.title}</span>}
      actions={
        <span className="flex shrink-0 items-center">
          {may && (
            <span draggable aria-hidden title="Drag to move" className="hidden cursor-grab px-0.5 text-faint md:inline-flex" onDragStart={(event) => { event.dataTransfer.effectAllowed = 'move'; onDrag(true) }} onDragEnd={() => onDrag(false)}>
              <GripVertical className="size-4" />
            </span>
          )}
          <Menu trigger={<IconButton small label={`Actions for ${chart.title}`} className="size-6"><Ellipsis /></IconButton>}>
            <MenuItem onSelect={() => setAsTable(!asTable)}><Table2 /> {asTable ? 'Show as chart' : 'Show as table'}</MenuItem>
            <MenuSeparator />
            <MenuItem disabled={!may} onSelect={onEdit}><Pencil /> Edit…</MenuItem>
            <MenuItem disabled={!may || full} onSelect={onCopy}><Copy /> Duplicate</MenuItem>
            <MenuItem disabled={!may || first} onSelect={() => onMove(-1)}><ArrowUp /> Move left</MenuItem>
            <MenuItem disabled={!may || last} onSelect={() => onMove(1)}><ArrowDown /> Move right</MenuItem>
            <MenuSeparator />
            <MenuLabel>Width</MenuLabel>
            {Object.entries(widths).map(([name, label]) => (
              <MenuItem key={name} disabled={!may} onSelect={() => onWidth(name as Width)}><Maximize2 /> {label}{name === width && <span className="ml-auto text-accent-ink">✓</span>}</MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem danger disabled={!may} onSelect={onRemove}><Trash2 /> Remove…</MenuItem>
          </Menu>
        </span>
      }
    >
      {chart.q && <p className="mb-2 truncate font-mono text-xs text-faint" title="Filter of this chart">{chart.q}</p>}
      <div className={kindOf(chart) === 'number' ? undefined : 'min-h-52'}>
        <ChartView chart={chart} state={state} actions={actions} asTable={asTable} />
      </div>
    </Card>
  )
}
