import { RotateCw, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { count, dateTime } from '@/lib/format'
import { Badge, type Tone } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import { JsonView } from '@/ui/json'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { deliveryStates, type Search } from '../search'
import { useSectionSearch } from '../section'
import { useDeliveries, useDelivery, useWebhookActions } from './webhook-data'
import { type Delivery, eventWords, resultWords, type Webhook } from './webhook-form'

const tones: Record<Delivery['state'], Tone> = { pending: 'info', delivered: 'good', dead: 'bad' }

/** The deliveries of all webhooks, or of one. */
export function Deliveries({ webhooks }: { webhooks: Webhook[] }) {
  const [search, change] = useSectionSearch()
  const list = useDeliveries(search)
  const filter = (part: Partial<Search>) => change({ ...part, page: undefined })
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2 md:flex">
        <Field label="Webhook">
          {(control) => (
            <Select {...control} value={search.webhook ?? ''} onChange={(event) => filter({ webhook: Number(event.target.value) || undefined })}>
              <option value="">All</option>
              {webhooks.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
            </Select>
          )}
        </Field>
        <Field label="State">
          {(control) => (
            <Select {...control} value={search.state ?? ''} onChange={(event) => filter({ state: deliveryStates.find((state) => state === event.target.value) })}>
              <option value="">All</option>
              {deliveryStates.map((state) => <option key={state} value={state}>{state}</option>)}
            </Select>
          )}
        </Field>
      </div>
      {list.isPending && <Loading />}
      {list.isError && <LoadError what="webhook" error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className={cn('rounded-lg border border-line bg-surface', list.isPlaceholderData && 'opacity-60')}>
          {list.data.deliveries.length > 0
            ? <DeliveryTable deliveries={list.data.deliveries} webhooks={webhooks} onOpen={({ id }) => change({ entry: id })} />
            : <NoDeliveries narrowed={search.webhook !== undefined || search.state !== undefined} />}
          <Pager page={list.data.page} pages={list.data.pages} total={list.data.total} noun="deliveries" onPage={(page) => change({ page: page === 1 ? undefined : page })} />
        </div>
      )}
      {search.entry !== undefined && <DeliveryDialog id={search.entry} webhooks={webhooks} onClose={() => change({ entry: undefined }, true)} />}
    </div>
  )
}

function NoDeliveries({ narrowed }: { narrowed: boolean }) {
  return (
    <EmptyState icon={<Send />} title={narrowed ? 'No matching deliveries' : 'No deliveries yet'}>
      {narrowed ? 'Choose another webhook or state.' : 'Events that webhooks are sent appear here for 30 days.'}
    </EmptyState>
  )
}

function nameOf(webhooks: Webhook[], id: number): string {
  return webhooks.find((one) => one.id === id)?.name ?? String(id)
}

function DeliveryTable({ deliveries, webhooks, onOpen }: { deliveries: Delivery[]; webhooks: Webhook[]; onOpen: (delivery: Delivery) => void }) {
  const { redeliver } = useWebhookActions()
  const again = (one: Delivery) => (
    <IconButton small label={`Redeliver ${eventWords(one.event_type)} of ${dateTime(one.created_at)}`} onClick={() => void redeliver(one)}><RotateCw /></IconButton>
  )
  return (
    <SimpleTable
      label="Deliveries"
      rows={deliveries}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      columns={[
        { header: 'Event', cell: (one) => <button type="button" className="font-medium hover:underline" title="Show details" onClick={() => onOpen(one)}>{eventWords(one.event_type)}</button>, className: 'max-sm:max-w-36 max-sm:px-2' },
        { header: 'Webhook', cell: ({ webhook_id }) => nameOf(webhooks, webhook_id), className: 'hidden sm:table-cell max-w-48' },
        { header: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>, className: 'max-sm:px-2' },
        { header: 'Last attempt', cell: resultWords, className: 'hidden md:table-cell max-w-72 text-dim' },
        { header: 'Attempts', cell: ({ attempts }) => count(attempts), className: 'hidden lg:table-cell text-right tabular' },
        { header: 'When', cell: ({ created_at }) => <Ago at={created_at} />, className: 'hidden sm:table-cell text-dim' },
        { header: <span className="sr-only">Actions</span>, cell: (one) => one.state !== 'pending' && again(one), className: 'w-12 text-right max-sm:px-1' },
      ]}
    />
  )
}

/** A delivery with what is sent and what came back. */
function DeliveryDialog({ id, webhooks, onClose }: { id: number; webhooks: Webhook[]; onClose: () => void }) {
  const loaded = useDelivery(id)
  const { redeliver } = useWebhookActions()
  const delivery = loaded.data
  return (
    <Dialog
      open
      title={delivery ? eventWords(delivery.event_type) : 'Delivery'}
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={delivery && delivery.state !== 'pending' && <Button onClick={() => void redeliver(delivery)}><RotateCw /> Redeliver</Button>}
    >
      {loaded.isPending && <Loading />}
      {loaded.isError && <LoadError what="delivery" error={loaded.error} retry={() => void loaded.refetch()} />}
      {delivery && <DeliveryDetails delivery={delivery} webhook={nameOf(webhooks, delivery.webhook_id)} />}
    </Dialog>
  )
}

function DeliveryDetails({ delivery, webhook }: { delivery: Delivery; webhook: string }) {
  const { state, attempts, created_at, last_attempt_at, next_attempt_at, duration_ms, response_excerpt, event_id, payload } = delivery
  const rows: [string, ReactNode][] = [
    ['Webhook', webhook],
    ['State', <Badge key="state" tone={tones[state]}>{state}</Badge>],
    ['When', dateTime(created_at)],
    ['Event ID', <code key="id" className="font-mono text-xs break-all">{event_id}</code>],
    ['Attempts', count(attempts)],
    ['Last', last_attempt_at === null ? 'Not tried yet' : `${resultWords(delivery)}, ${dateTime(last_attempt_at)}, ${count(duration_ms ?? 0)} ms`],
  ]
  if (next_attempt_at !== null) rows.push(['Next', dateTime(next_attempt_at)])
  return (
    <>
      <dl className="grid grid-cols-[5rem_1fr] gap-y-1.5">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {response_excerpt !== null && (
        <>
          <h3 className="mt-4 mb-1 text-[13px] font-medium text-dim">Response</h3>
          <pre tabIndex={0} aria-label="Response" className="max-h-40 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap">{response_excerpt}</pre>
        </>
      )}
      <div className="mt-4 mb-1 flex items-center justify-between">
        <h3 className="text-[13px] font-medium text-dim">Event</h3>
        <CopyButton text={() => JSON.stringify(payload, null, 2)} label="Copy as JSON" />
      </div>
      <div className="rounded-md border border-line bg-sunken p-3"><JsonView value={payload} /></div>
    </>
  )
}
