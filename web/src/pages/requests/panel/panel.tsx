import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, CircleAlert, Clipboard, Database, ListTree, Play, X } from 'lucide-react'
import { Fragment, lazy, Suspense, useMemo, useState } from 'react'
import { ApiError } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { ago, compact, dateTime, duration, money } from '@/lib/format'
import { httpCode } from '@/lib/http-code'
import { addFilter } from '@/query/state'
import { readBlueprint, type Blueprint } from '@/request/blueprint'
import { Conversation } from '@/request/conversation'
import { detailQuery, itemQuery, type RequestItem } from '@/request/data'
import { Marks, marksOf } from '@/request/marks'
import { StatusBadge } from '@/ui/badge'
import { Button, buttonClass, IconButton } from '@/ui/button'
import { SidePanel } from '@/ui/dialog'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { useToast } from '@/ui/toast'
import { findItem } from '../log-query'
import type { Search } from '../search'
import { Details } from './details'
import { Feedback } from './feedback'
import { usePanelFocus } from './panel-focus'
import { providerCall } from './provider-call'

// Large or rarely used parts are loaded on demand.
const AddToDataset = lazy(() => import('./add-to-dataset').then((module) => ({ default: module.AddToDataset })))
const UseInCode = lazy(() => import('@/ui/use-in-code').then((module) => ({ default: module.UseInCode })))
const Raw = lazy(() => import('./raw'))

interface Props {
  id: number | undefined
  tab: Search['tab']
  search: Search
  change: (next: Partial<Search>, replace?: boolean) => void
  onStep: (by: 1 | -1) => void
}

/** The open request, beside the list. */
export default function RequestPanel({ id, change, ...rest }: Props) {
  const focus = usePanelFocus(id)
  return (
    <SidePanel {...focus} open={id !== undefined} onOpenChange={(open) => !open && change({ request: undefined, tab: undefined })} title={`Request ${id ?? ''}`}>
      {id !== undefined && <Opened id={id} change={change} {...rest} />}
    </SidePanel>
  )
}

function Opened({ id, tab, search, change, onStep }: Props & { id: number }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  // Use the row of a loaded list if there is one.
  const item = useQuery({ ...itemQuery(workspace, id), initialData: () => findItem(queryClient, workspace, id), staleTime: 60_000 })
  // Do not retry an id that does not exist.
  const detail = useQuery({ ...detailQuery(workspace, id), enabled: item.data != null })
  const blueprint = useMemo(() => readBlueprint(detail.data?.prompt_blueprint), [detail.data])
  const marks = useMemo(() => marksOf(search.q), [search.q])
  const close = () => change({ request: undefined, tab: undefined })
  const filter = (field: string, value: string, key?: string) => change({ q: addFilter(search, field, value, key).q })
  const problem = detail.error ?? item.error
  return (
    <div data-panel className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="tabular font-semibold">Request {id}</h2>
        {item.data && <StatusBadge status={item.data.status ?? ''} />}
        <div className="ml-auto flex items-center gap-1">
          {item.data && <Actions key={id} item={item.data} blueprint={detail.data === undefined ? null : blueprint} />}
          <IconButton small label="Previous request (k)" onClick={() => onStep(-1)}><ChevronUp /></IconButton>
          <IconButton small label="Next request (j)" onClick={() => onStep(1)}><ChevronDown /></IconButton>
          <IconButton small label="Close (Esc)" onClick={close}><X /></IconButton>
        </div>
      </header>
      {item.data === null || (problem instanceof ApiError && problem.status === 404) ? (
        <EmptyState title="Request not found" action={<Button onClick={close}>Close</Button>}>There is no request {id} in this workspace. The link may belong to another one.</EmptyState>
      ) : problem ? (
        <ErrorState error={problem} retry={() => void detail.refetch()} />
      ) : (
        <Fragment key={id}>
          {item.data && <Strip item={item.data} />}
          {item.data && <Fault item={item.data} />}
          {item.data && <Feedback item={item.data} />}
          <Tabs
            label="Request view"
            className="flex-1 [&>[role=tablist]]:px-2"
            value={tab ?? 'chat'}
            onChange={(next) => change({ tab: next === 'chat' ? undefined : next }, true)}
            tabs={[{ value: 'chat', label: 'Conversation' }, { value: 'details', label: 'Details' }, { value: 'raw', label: 'Raw' }]}
          >
            <TabPanel value="chat" className="overflow-auto p-4">
              {detail.data === undefined ? <Loading /> : <Marks value={marks}><Conversation blueprint={blueprint} /></Marks>}
            </TabPanel>
            <TabPanel value="details" className="overflow-auto p-4">
              {item.data && detail.data ? <Details item={item.data} blueprint={blueprint} onFilter={filter} /> : <Loading />}
            </TabPanel>
            <TabPanel value="raw" className="flex min-h-0 flex-col p-4">
              {detail.data === undefined ? <Loading /> : <Suspense fallback={<Loading />}><Raw detail={detail.data} item={item.data ?? null} /></Suspense>}
            </TabPanel>
          </Tabs>
        </Fragment>
      )}
    </div>
  )
}

function Actions({ item, blueprint }: { item: RequestItem; blueprint: Blueprint | null }) {
  const { id } = item
  const { workspace_id: workspace } = useSession()
  const [adding, setAdding] = useState(false)
  const [coding, setCoding] = useState(false)
  const mayAdd = useMay('DATASET_EDIT')
  const toast = useToast()
  const copy = (text: string, what: string) => void navigator.clipboard.writeText(text).then(() => toast.done(`${what} copied`), toast.failed)
  const link = () => `${window.location.origin}/app/${workspace}/requests?request=${id}`
  return (
    <>
      <Link to="/$workspace/playground" params={{ workspace: String(workspace) }} search={{ request: id }} className={buttonClass('plain', true)} title="Open in the playground">
        <Play /> <span className="max-sm:sr-only">Playground</span>
      </Link>
      {item.trace_id && (
        <Link to="/$workspace/traces/$trace" params={{ workspace: String(workspace), trace: item.trace_id }} search={{ span: item.span_id ?? undefined }} className={buttonClass('plain', true)} title="Show its place in the trace">
          <ListTree /> <span className="max-sm:sr-only">Trace</span>
        </Link>
      )}
      <Button small disabled={!mayAdd} title={mayAdd ? 'Add to a dataset' : 'Your role does not allow you to edit datasets'} onClick={() => setAdding(true)}>
        <Database /> <span className="max-sm:sr-only">Add to dataset</span>
      </Button>
      <Menu trigger={<Button small><Clipboard /> <span className="max-sm:sr-only">Copy</span></Button>}>
        <MenuItem disabled={blueprint === null} onSelect={() => blueprint && copy(httpCode('curl', providerCall(blueprint)), 'curl command')}>Copy as curl</MenuItem>
        <MenuItem disabled={blueprint === null} onSelect={() => setCoding(true)}>Use in code…</MenuItem>
        <MenuItem onSelect={() => copy(link(), 'Link')}>Copy link</MenuItem>
        <MenuItem onSelect={() => copy(String(id), 'ID')}>Copy ID</MenuItem>
      </Menu>
      {adding && <Suspense><AddToDataset request={id} onClose={() => setAdding(false)} /></Suspense>}
      {coding && blueprint && (
        <Suspense>
          <UseInCode title={`Request ${id} in code`} description="Calls the provider with the logged messages, model and parameters. The call is not logged here." call={providerCall(blueprint)} onClose={() => setCoding(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The key figures. */
function Strip({ item }: { item: RequestItem }) {
  const { workspace_id: workspace } = useSession()
  const parts = [
    ['Model', item.engine],
    ['Latency', duration(item.latency * 1000)],
    ['Tokens', `${compact(item.input_tokens)} → ${compact(item.output_tokens)}`],
    ['Cost', item.price === 0 ? '–' : money(item.price)],
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line bg-canvas px-4 py-2 text-[13px]">
      {parts.map(([name, value]) => (
        <div key={name} className="min-w-0"><dt className="text-xs text-faint">{name}</dt><dd className="tabular truncate font-medium">{value}</dd></div>
      ))}
      <div><dt className="text-xs text-faint">Started</dt><dd className="tabular font-medium" title={ago(item.request_start_time)}>{dateTime(item.request_start_time)}</dd></div>
      {item.prompt_id != null && (
        <div className="min-w-0">
          <dt className="text-xs text-faint">Prompt</dt>
          <dd className="truncate font-medium">
            <Link to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(item.prompt_id) }} search={{ version: item.prompt_version_number ?? undefined }} className="text-accent-ink underline">
              {item.prompt_name ?? `#${item.prompt_id}`} v{item.prompt_version_number}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Fault({ item }: { item: RequestItem }) {
  if (!item.error_message && !item.error_type) return null
  return (
    <div role="note" className="flex gap-2 border-b border-line bg-bad-soft px-4 py-2 text-[13px] text-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 break-words">{item.error_type && <strong className="font-semibold">{item.error_type.toLowerCase().replaceAll('_', ' ')}. </strong>}{item.error_message}</p>
    </div>
  )
}
