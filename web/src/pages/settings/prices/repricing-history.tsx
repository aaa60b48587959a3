import { Ban, RefreshCw, Undo2 } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { count } from '@/lib/format'
import { queryWords } from '@/query/stored'
import { Badge } from '@/ui/badge'
import { IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { ProgressBar } from '@/ui/progress'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useSectionSearch } from '../section'
import { type Repricing, useEndRepricing, useRefreshCosts, useRepricings } from './repricing-data'
import { changeWords, isActive, isRevertible, tones } from './repricing-words'

/** The re-pricings of the workspace with their progress. */
export function RepricingHistory({ manages }: { manages: boolean }) {
  const [search, change] = useSectionSearch()
  const list = useRepricings(search.page ?? 1)
  useWhenEnded(list.data?.items.find((one) => !isActive(one)))
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const { items, page, pages, total } = list.data
  return (
    <div className="rounded-lg border border-line bg-surface">
      {total > 0 ? <Table repricings={items} manages={manages} /> : <EmptyState icon={<RefreshCw />} title="No re-pricings yet">When prices have changed, compute the prices of logged requests again.</EmptyState>}
      <Pager page={page} pages={pages} total={total} noun="re-pricings" onPage={(next) => change({ page: next === 1 ? undefined : next })} />
    </div>
  )
}

/** Reloads all costs when another re-pricing has ended, also one that was never seen while it was active. */
function useWhenEnded(newest: Repricing | undefined) {
  const refresh = useRefreshCosts()
  const ended = useEffectEvent(() => void refresh())
  const { id, state } = newest ?? {}
  useEffect(() => {
    if (id !== undefined) ended()
  }, [id, state])
}

function Table({ repricings, manages }: { repricings: Repricing[]; manages: boolean }) {
  return (
    <SimpleTable
      label="Re-pricings"
      rows={repricings}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Started', cell: Started, className: 'whitespace-nowrap' },
        { header: 'State', cell: StateCell },
        { header: 'Requests', cell: ({ query, include_sent_prices }) => <RequestWords query={query} sent={include_sent_prices} />, className: 'hidden md:table-cell' },
        { header: 'Changed', cell: ({ changed }) => count(changed), className: 'text-right tabular' },
        { header: 'Total', cell: changeWords, className: 'hidden sm:table-cell text-right tabular' },
        { header: <span className="sr-only">Actions</span>, cell: (one) => manages && <EndButton one={one} />, className: 'w-12 text-right' },
      ]}
    />
  )
}

function Started({ created_at, created_by }: Repricing) {
  return <span title={created_by ?? undefined}><Ago at={created_at} />{created_by && <span className="block truncate text-xs text-faint">{created_by}</span>}</span>
}

function StateCell(one: Repricing) {
  const { state, error, progress } = one
  return (
    <span className="flex items-center gap-2">
      <Badge tone={tones[state]} title={error ?? undefined}>{state}</Badge>
      {isActive(one) && <ProgressBar label="Progress" share={progress} className="w-20" />}
      {error !== null && <span className="truncate text-bad">{error}</span>}
    </span>
  )
}

function RequestWords({ query, sent }: { query: unknown; sent: boolean }) {
  const words = queryWords(query)
  return <span title={words}>{words}{sent && <span className="text-faint">, also sent prices</span>}</span>
}

function EndButton({ one }: { one: Repricing }) {
  const { cancel, revert } = useEndRepricing()
  if (one.state === 'running') return <IconButton small label={`Cancel re-pricing ${one.id}`} onClick={() => void cancel(one)}><Ban /></IconButton>
  if (isRevertible(one)) return <IconButton small label={`Revert re-pricing ${one.id}`} onClick={() => void revert(one)}><Undo2 /></IconButton>
  return null
}
