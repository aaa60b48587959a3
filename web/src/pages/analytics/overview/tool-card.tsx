import { useState } from 'react'
import { compact } from '@/lib/format'
import { Select } from '@/ui/field'
import { Card } from '@/ui/page'
import type { ChartDefinition } from '../model/definition'
import type { Part } from '../model/pick'
import { AddButton } from './add-button'
import { rankingChart } from './charts'
import type { Analytics } from './data'
import { FoldedList } from './folded-list'

/** The called tools: how often, or the latency of the requests that called them. */
export function ToolCard({ payload, format, onNarrow, onAdd }: {
  payload: Analytics
  format: (seconds: number) => string
  onNarrow: (parts: Part[]) => void
  onAdd?: (chart: ChartDefinition) => void
}) {
  const [by, setBy] = useState<'requests' | 'latency'>('requests')
  const slow = by === 'latency'
  const items = (payload.toolsLatency ?? []).map(({ toolName = '', requests = 0, avgLatencySeconds = 0, maxLatencySeconds = 0 }) => ({
    name: toolName, value: slow ? avgLatencySeconds : requests, note: slow ? `up to ${format(maxLatencySeconds)}` : `${format(avgLatencySeconds)} on average`,
  }))
  items.sort((a, b) => b.value - a.value)
  const chart = slow ? rankingChart('Latency by tool', 'tool_names', { metric: 'avg', metricField: 'latency_ms' }) : rankingChart('Tools by requests', 'tool_names')
  return (
    <Card
      title="Tools"
      actions={
        <span className="flex items-center gap-1">
          <Select aria-label="Rank tools by" className="h-6 text-[13px]" value={by} onChange={(event) => setBy(event.target.value === 'latency' ? 'latency' : 'requests')}>
            <option value="requests">Usage</option>
            <option value="latency">Latency</option>
          </Select>
          {onAdd && <AddButton chart={chart} onAdd={onAdd} />}
        </span>
      }
    >
      <FoldedList
        items={items}
        format={slow ? format : compact}
        empty="No requests with tool calls"
        onPick={(index) => {
          const name = items[index]?.name ?? ''
          onNarrow([{ group: { field: 'tool_names' }, value: name, label: name }])
        }}
      />
    </Card>
  )
}
