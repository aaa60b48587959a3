import type { Schemas } from '@/api/client'
import { count, money } from '@/lib/format'
import { findField } from '@/query/fields'
import { addNode, type QueryState, type RequestBody } from '@/query/state'
import type { Tone } from '@/ui/badge'

type Repricing = Schemas['RepricingItem']

export function isActive({ state }: Pick<Repricing, 'state'>): boolean {
  return state === 'running' || state === 'reverting'
}

/** Whether a re-pricing has changed anything that can be reverted. */
export function isRevertible({ state, changed }: Pick<Repricing, 'state' | 'changed'>): boolean {
  return (state === 'done' || state === 'cancelled' || state === 'failed') && changed > 0
}

export const tones: Record<Repricing['state'], Tone> = { running: 'info', done: 'good', cancelled: 'warn', failed: 'bad', reverting: 'info', reverted: 'neutral' }

/** The query for requests without a price. */
export function withoutPrice(): QueryState {
  const field = findField('cost')
  if (field === undefined) throw new Error('there is no field for costs')
  return addNode({ range: 'all' }, { kind: 'condition', field, operator: 'is_null', values: [] })
}

/** Selects the requests of a model that have no price. */
export function modelBody({ provider, model }: { provider: string; model: string }): RequestBody {
  return {
    filter_group: {
      logic: 'AND',
      filters: [{ field: 'provider_type', operator: 'is', value: provider }, { field: 'engine', operator: 'is', value: model }, { field: 'cost', operator: 'is_null' }],
    },
  }
}

/** How totals change, such as "$1.20 → $1.50 (+$0.30)". */
export function changeWords({ old_total, new_total }: { old_total: number; new_total: number }): string {
  const more = new_total - old_total
  const sign = more < 0 ? '−' : '+'
  return `${money(old_total)} → ${money(new_total)}${more === 0 ? '' : ` (${sign}${money(Math.abs(more))})`}`
}

/** What happens to the requests that keep their price. */
export function keptWords({ kept_sent, without_price }: { kept_sent: number; without_price: number }): string {
  const parts = [
    ...(kept_sent > 0 ? [`${count(kept_sent)} keep the price that was sent`] : []),
    ...(without_price > 0 ? [`${count(without_price)} have no tokens or a model without a price`] : []),
  ]
  return parts.join(', ')
}
