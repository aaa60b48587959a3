import type { ReactNode } from 'react'
import { compact, money } from '@/lib/format'
import { Card } from '@/ui/page'
import type { ChartDefinition } from '../model/definition'
import type { Part } from '../model/pick'
import { AddButton } from './add-button'
import { FoldedList } from './folded-list'
import type { Ranking } from '../search'

export interface RankedItem {
  name: string
  /** The filter applied by clicking it, if there is one. */
  parts: Part[]
  requests: number
  cost?: number
  tokens?: number
}

const formats: Record<Ranking, (value: number) => string> = { requests: compact, cost: money, tokens: compact }

/** A ranking by requests, cost or tokens; by requests if nothing else is known. */
export function RankingCard({ title, items, rank, empty, chart, head, onNarrow, onAdd }: {
  title: string
  items: RankedItem[]
  rank: Ranking
  empty: string
  /** The same as a chart for a dashboard. */
  chart: ChartDefinition
  head?: ReactNode
  onNarrow: (parts: Part[]) => void
  onAdd?: (chart: ChartDefinition) => void
}) {
  const by: Ranking = items.some((item) => item[rank] !== undefined) ? rank : 'requests'
  const sorted = [...items].sort((a, b) => (b[by] ?? 0) - (a[by] ?? 0) || b.requests - a.requests)
  return (
    <Card title={title} actions={<span className="flex items-center gap-1">{head}{onAdd && <AddButton chart={chart} onAdd={onAdd} />}</span>}>
      <FoldedList
        items={sorted.map((item) => ({ name: item.name || '(none)', key: JSON.stringify(item.parts[0] ?? item.name), value: item[by] ?? 0, note: note(item, by) }))}
        format={formats[by]}
        empty={empty}
        onPick={(index) => onNarrow(sorted[index]?.parts ?? [])}
      />
    </Card>
  )
}

/** A second number that puts the first into context. */
function note(item: RankedItem, by: Ranking): string | undefined {
  if (by !== 'requests') return `${compact(item.requests)} requests`
  return item.cost === undefined ? undefined : money(item.cost)
}
