import { CircleDollarSign, Download, FileUp, Plus, RefreshCw } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Schemas } from '@/api/client'
import { useMay } from '@/api/session'
import { compact, count } from '@/lib/format'
import { Button } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SearchInput } from '@/ui/search-input'
import { Pager, SimpleTable } from '@/ui/table'
import { TabPanel, Tabs } from '@/ui/tabs'
import { useToast } from '@/ui/toast'
import { Section, useNewWindow, useSectionSearch } from '../section'
import { priceTabs } from '../search'
import { useCustomPrices, useExportPrices, useImportPrices, useListPrices, useUnpriced } from './price-data'
import { PriceDialog } from './price-dialog'
import { matching, type Price } from './price-form'
import { PriceTable } from './price-table'
import { type RepricingRequest, useStartRepricing } from './repricing-data'
import { RepricingDialog } from './repricing-dialog'
import { RepricingHistory } from './repricing-history'
import { modelBody } from './repricing-words'

type Tab = (typeof priceTabs)[number]
type Model = Schemas['UnpricedModel']

const whyNot = 'You do not have permission to manage prices'
const frame = 'rounded-lg border border-line bg-surface'

export function PricesSection() {
  const manages = useMay('MANAGE_PRICES')
  const [search, change] = useSectionSearch()
  const [creating, setCreating] = useNewWindow()
  const [edited, setEdited] = useState<Price | null>(null)
  const [priced, setPriced] = useState<Model | null>(null)
  const [repricing, setRepricing] = useState(false)
  const unpriced = useUnpriced()
  const missing = unpriced.data?.length ?? 0
  const tab = priceTabs.find((one) => one === search.tab) ?? 'custom'
  const tabs: { value: Tab; label: string }[] = [
    { value: 'custom', label: 'Custom prices' }, { value: 'list', label: 'List prices' },
    { value: 'unpriced', label: missing > 0 ? `Not priced (${count(missing)})` : 'Not priced' }, { value: 'repricing', label: 'Re-pricing' },
  ]
  return (
    <Section id="prices" actions={<Actions manages={manages} onNew={() => setCreating(true)} onReprice={() => setRepricing(true)} />}>
      <Tabs label="Prices" value={tab} tabs={tabs} onChange={(next) => change({ tab: next === 'custom' ? undefined : next, find: undefined, page: undefined })}>
        <TabPanel value="custom" className="pt-4"><CustomPrices manages={manages} onEdit={setEdited} onNew={() => setCreating(true)} /></TabPanel>
        <TabPanel value="list" className="pt-4"><ListPrices find={search.find ?? ''} onFind={(find) => change({ find: find === '' ? undefined : find }, true)} /></TabPanel>
        <TabPanel value="unpriced" className="pt-4"><Unpriced list={unpriced} manages={manages} onPrice={setPriced} onReprice={() => setRepricing(true)} /></TabPanel>
        <TabPanel value="repricing" className="pt-4"><RepricingHistory manages={manages} /></TabPanel>
      </Tabs>
      {!manages && <p className="text-[13px] text-faint">{whyNot}.</p>}
      {creating && manages && <PriceDialog price={{}} onClose={() => setCreating(false)} />}
      {edited && <PriceDialog price={edited} onClose={() => setEdited(null)} />}
      {priced && <PriceModel model={priced} onClose={() => setPriced(null)} onStarted={() => change({ tab: 'repricing' })} />}
      {repricing && <RepricingDialog onClose={() => setRepricing(false)} onStarted={() => { setRepricing(false); change({ tab: 'repricing' }) }} />}
    </Section>
  )
}

/** Sets the price of a model that has none, and prices its requests. */
function PriceModel({ model, onClose, onStarted }: { model: Model; onClose: () => void; onStarted: () => void }) {
  const start = useStartRepricing()
  const toast = useToast()
  const reprice = async () => {
    try {
      await start.mutateAsync(modelBody(model) as RepricingRequest)
      onStarted()
    } catch (error) {
      toast.failed(error)
    }
  }
  return <PriceDialog price={{ provider: model.provider, model: model.model }} logged={model.requests} onReprice={reprice} onClose={onClose} />
}

function Actions({ manages, onNew, onReprice }: { manages: boolean; onNew: () => void; onReprice: () => void }) {
  const file = useRef<HTMLInputElement>(null)
  const load = useImportPrices()
  const save = useExportPrices()
  const title = manages ? undefined : whyNot
  const read = (event: React.ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0]
    if (chosen) load.mutate(chosen)
    event.target.value = '' // so that the same file can be chosen again
  }
  return (
    <>
      <input ref={file} type="file" accept=".csv,.json" aria-label="File of prices" className="hidden" onChange={read} />
      <Button disabled={!manages} title={title} onClick={onReprice}><RefreshCw /> Re-price requests</Button>
      <Button disabled={!manages} title={title} busy={load.isPending} onClick={() => file.current?.click()}><FileUp /> Import</Button>
      <Menu trigger={<Button busy={save.isPending}><Download /> Export</Button>}>
        <MenuItem onSelect={() => save.mutate('csv')}>Export as CSV</MenuItem>
        <MenuItem onSelect={() => save.mutate('json')}>Export as JSON</MenuItem>
      </Menu>
      <Button look="primary" disabled={!manages} title={title} onClick={onNew}><Plus /> New price</Button>
    </>
  )
}

function CustomPrices({ manages, onEdit, onNew }: { manages: boolean; onEdit: (price: Price) => void; onNew: () => void }) {
  const [search, change] = useSectionSearch()
  const list = useCustomPrices(search.page ?? 1)
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const { items, page, pages, total } = list.data
  return (
    <div className={frame}>
      {total > 0 && <PriceTable label="Custom prices" prices={items} onEdit={manages ? onEdit : undefined} />}
      {total === 0 && (
        <EmptyState icon={<CircleDollarSign />} title="No custom prices" action={manages && <Button onClick={onNew}><Plus /> New price</Button>}>
          The list prices apply. Set a price for models of your own, or for what you pay instead of the list price.
        </EmptyState>
      )}
      <Pager page={page} pages={pages} total={total} noun="prices" onPage={(next) => change({ page: next === 1 ? undefined : next })} />
    </div>
  )
}

function ListPrices({ find, onFind }: { find: string; onFind: (text: string) => void }) {
  const list = useListPrices()
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const found = matching(list.data, find)
  return (
    <div className="flex flex-col gap-3">
      <SearchInput label="Search list prices" placeholder="Provider or model" value={find} onSearch={onFind} className="max-w-sm" />
      <div className={frame}>
        {found.length > 0 ? <PriceTable label="List prices" prices={found} /> : <EmptyState title="No matching prices">Try another word.</EmptyState>}
      </div>
    </div>
  )
}

function Unpriced({ list, manages, onPrice, onReprice }: { list: ReturnType<typeof useUnpriced>; manages: boolean; onPrice: (model: Model) => void; onReprice: () => void }) {
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (list.data.length === 0) return <div className={frame}><EmptyState icon={<CircleDollarSign />} title="Every request has a price">Models without a price are listed here.</EmptyState></div>
  return (
    <div className="flex flex-col gap-3">
      <p className="text-dim">
        The requests of these models have tokens and no price. After you have set a price,{' '}
        {manages ? <button type="button" className="text-accent-ink underline" onClick={onReprice}>re-price the requests</button> : 're-price the requests'}.
      </p>
      <div className={frame}>
        <SimpleTable<Model>
          label="Models without a price"
          rows={list.data}
          rowKey={({ provider, model }) => `${provider} ${model}`}
          columns={[
            { header: 'Provider', cell: ({ provider }) => <code className="font-mono text-xs">{provider}</code> },
            { header: 'Model', cell: ({ model }) => <code className="font-mono text-xs">{model}</code> },
            { header: 'Requests', cell: ({ requests }) => count(requests), className: 'text-right tabular' },
            { header: 'Input tokens', cell: ({ input_tokens }) => compact(input_tokens), className: 'hidden md:table-cell text-right tabular' },
            { header: 'Output tokens', cell: ({ output_tokens }) => compact(output_tokens), className: 'hidden md:table-cell text-right tabular' },
            {
              header: <span className="sr-only">Actions</span>,
              className: 'w-28 text-right',
              cell: (one) => manages && <Button small onClick={() => onPrice(one)} aria-label={`Set price of ${one.provider} ${one.model}`}>Set price</Button>,
            },
          ]}
        />
      </div>
    </div>
  )
}
