import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Card, Loading } from '@/ui/page'
import { Drawing } from '../drawing/drawing'
import type { ChartActions } from '../drawing/types'
import type { Asked } from '../model/ask'
import type { ChartDefinition } from '../model/definition'
import { AddButton } from './add-button'

/** The charts over time, with a shared crosshair. */
export function TimeGrid({ charts, asked, faded, actions, onAdd }: { charts: ChartDefinition[]; asked: Asked | undefined; faded: boolean; actions: ChartActions; onAdd?: (chart: ChartDefinition) => void }) {
  return (
    <div className={cn('grid grid-cols-1 gap-3 transition-opacity lg:grid-cols-2', faded && 'opacity-60')}>
      {charts.map((chart) => <TimeCard key={chart.id} chart={chart} asked={asked} actions={actions} onAdd={onAdd} />)}
    </div>
  )
}

function TimeCard({ chart, asked, actions, onAdd }: { chart: ChartDefinition; asked: Asked | undefined; actions: ChartActions; onAdd?: (chart: ChartDefinition) => void }) {
  const [asTable, setAsTable] = useState(false)
  const answer = asked?.answers.get(chart.id)
  return (
    <Card
      title={chart.title}
      actions={
        <span className="flex items-center gap-1">
          <IconButton small label={asTable ? 'Show as chart' : 'Show as table'} aria-pressed={asTable} className="size-6 text-faint" onClick={() => setAsTable(!asTable)}><Table2 className="size-3.5" /></IconButton>
          {onAdd && <AddButton chart={chart} onAdd={onAdd} />}
        </span>
      }
    >
      <div className="min-h-52">
        {asked !== undefined && answer !== undefined ? <Drawing chart={chart} answer={answer} plan={asked.plan} asTable={asTable} height={190} {...actions} /> : <Loading />}
      </div>
    </Card>
  )
}
