import { useState } from 'react'
import { cn } from '@/lib/cn'
import type { QueryState } from '@/query/state'
import { useConfirm } from '@/ui/dialog'
import type { ChartActions } from '../drawing/types'
import { newChartId, type ChartDefinition, type Width } from '../model/definition'
import { ChartCard } from './chart-card'
import { moveTo } from './order'

type Charts = (old: ChartDefinition[]) => ChartDefinition[]

const spans: Record<Width, string> = { third: 'lg:col-span-2', half: 'lg:col-span-3', full: 'md:col-span-2 lg:col-span-6' }

/** The charts of a dashboard in order, each with its width. */
export function ChartGrid({ charts, state, actions, may, full, onEdit, onChange }: {
  charts: ChartDefinition[]
  state: QueryState
  actions: ChartActions
  may: boolean
  full: boolean
  onEdit: (chart: ChartDefinition) => void
  onChange: (change: Charts, done: string) => void
}) {
  const confirm = useConfirm()
  const [dragged, setDragged] = useState<string | null>(null)
  const [target, setTarget] = useState<string | null>(null)
  const rest = () => {
    setDragged(null)
    setTarget(null)
  }
  const drop = () => {
    if (dragged !== null && target !== null && dragged !== target) {
      const title = charts.find(({ id }) => id === dragged)?.title ?? ''
      onChange((old) => moveTo(old, dragged, old.findIndex(({ id }) => id === target)), `“${title}” moved`)
    }
    rest()
  }
  const remove = async (chart: ChartDefinition) => {
    const yes = await confirm({ title: 'Remove this chart?', body: `“${chart.title}” will be removed from the dashboard for everyone.`, action: 'Remove', danger: true })
    if (yes) onChange((old) => old.filter(({ id }) => id !== chart.id), `“${chart.title}” removed`)
  }
  const copy = (chart: ChartDefinition) => {
    const twin = { ...chart, id: newChartId(), title: `${chart.title} (copy)`.slice(0, 200) }
    onChange((old) => old.flatMap((one) => (one.id === chart.id ? [one, twin] : [one])), `“${chart.title}” duplicated`)
  }
  return (
    <ul className="grid grid-cols-1 gap-3 p-4 md:grid-cols-2 md:px-5 lg:grid-cols-6">
      {charts.map((chart, index) => (
        <li
          key={chart.id}
          className={cn('min-w-0 rounded-lg', spans[chart.layout?.width ?? 'half'] ?? spans.half, dragged === chart.id && 'opacity-50', target === chart.id && dragged !== chart.id && 'outline-2 outline-accent')}
          onDragOver={(event) => {
            if (dragged === null) return
            event.preventDefault()
            setTarget(chart.id)
          }}
          onDrop={drop}
        >
          <ChartCard
            chart={chart}
            state={state}
            actions={actions}
            may={may}
            first={index === 0}
            last={index === charts.length - 1}
            full={full}
            onDrag={(on) => (on ? setDragged(chart.id) : rest())}
            onEdit={() => onEdit(chart)}
            onCopy={() => copy(chart)}
            onWidth={(width) => onChange((old) => old.map((one) => (one.id === chart.id ? { ...one, layout: { ...one.layout, width } } : one)), `“${chart.title}” resized`)}
            onMove={(by) => onChange((old) => moveTo(old, chart.id, old.findIndex(({ id }) => id === chart.id) + by), `“${chart.title}” moved`)}
            onRemove={() => void remove(chart)}
          />
        </li>
      ))}
    </ul>
  )
}
