import { LayoutDashboard } from 'lucide-react'
import { IconButton } from '@/ui/button'
import type { ChartDefinition } from '../model/definition'

/** Adds a chart of the page to a dashboard. */
export function AddButton({ chart, onAdd }: { chart: ChartDefinition; onAdd: (chart: ChartDefinition) => void }) {
  return (
    <IconButton small label={`Add “${chart.title}” to a dashboard`} className="size-6 text-faint" onClick={() => onAdd(chart)}>
      <LayoutDashboard className="size-3.5" />
    </IconButton>
  )
}
