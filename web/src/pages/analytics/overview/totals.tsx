import { cn } from '@/lib/cn'
import { compact, count, money, percent } from '@/lib/format'
import { seconds } from '../model/units'
import type { Analytics } from './data'

interface Figure {
  label: string
  value: number
  text: string
  /** The exact number, if the text is shortened. */
  title?: string
  note?: string
  alarming?: boolean
}

/** The totals, compared with the previous period. */
export function Totals({ now, before, faded }: { now: Analytics; before: Analytics | undefined; faded: boolean }) {
  const earlier = before === undefined || before.totalRequests === 0 ? [] : figures(before)
  return (
    <dl className={cn('grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line transition-opacity sm:grid-cols-3 lg:grid-cols-5', faded && 'opacity-60')}>
      {figures(now).map((figure, index) => (
        <div key={figure.label} className="flex min-w-0 flex-col gap-0.5 bg-surface px-4 py-3 max-sm:last:col-span-2 sm:max-lg:last:col-span-2">
          <dt className="text-[13px] text-faint">{figure.label}</dt>
          <dd title={figure.title} className={cn('tabular text-xl font-semibold', figure.alarming && 'text-bad')}>{figure.text}</dd>
          <dd className="truncate text-xs text-faint">
            <Change now={figure.value} before={earlier[index]?.value} />
            {figure.note}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function figures(payload: Analytics): Figure[] {
  const { totalRequests = 0, totalCost = 0, totalTokens = 0, averageLatency = 0, totalCachedTokens = 0, totalThinkingTokens = 0, stats = [] } = payload
  const errors = stats.reduce((sum, { statusCounts }) => sum + (statusCounts?.ERROR ?? 0), 0)
  const share = totalRequests === 0 ? 0 : errors / totalRequests
  const input = stats.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)
  const special = [totalCachedTokens > 0 && `${compact(totalCachedTokens)} cached`, totalThinkingTokens > 0 && `${compact(totalThinkingTokens)} thinking`].filter(Boolean).join(', ')
  return [
    { label: 'Requests', value: totalRequests, text: compact(totalRequests), title: count(totalRequests) },
    { label: 'Cost', value: totalCost, text: money(totalCost), title: `$${totalCost}`, note: totalRequests > 0 ? `${money(totalCost / totalRequests)} per request` : '' },
    { label: 'Tokens', value: totalTokens, text: compact(totalTokens), title: count(totalTokens), note: special || `${compact(input)} input, ${compact(totalTokens - input)} output` },
    { label: 'Average latency', value: averageLatency, text: seconds(averageLatency) },
    { label: 'Errors', value: share, text: percent(share), note: `${count(errors)} ${errors === 1 ? 'request' : 'requests'}`, alarming: share >= 0.05 },
  ]
}

/** The change since the previous period. */
function Change({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined || before === 0) return null
  const change = now / before - 1
  const size = Math.abs(change)
  const words = size < 0.005 ? 'no change' : `${change > 0 ? '↑' : '↓'} ${size >= 9.995 ? `${Math.round(now / before)}×` : percent(size)}`
  return <span title="Compared with the previous period" className="mr-2 text-dim">{words}</span>
}
