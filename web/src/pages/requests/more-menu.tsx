import { Link } from '@tanstack/react-router'
import { BellRing, ChartNoAxesColumn, Database, Download, Ellipsis, Link2, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { useMay, useSession } from '@/api/session'
import type { Selection } from '@/deletion/data'
import { requestColumns } from '@/export/columns'
import { requestBody } from '@/query/state'
import { rangeWords } from '@/query/time-range'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import type { Search } from './search'
import type { Log } from './use-log'

// Rarely used dialogs are loaded on demand.
const DatasetFromSearch = lazy(() => import('./dataset-from-search').then((module) => ({ default: module.DatasetFromSearch })))
const DeleteDialog = lazy(() => import('@/deletion/delete-dialog').then((module) => ({ default: module.DeleteDialog })))
const ExportDialog = lazy(() => import('@/export/export-dialog').then((module) => ({ default: module.ExportDialog })))

/** Further actions on the search results. */
export function MoreMenu({ log, search }: { log: Log; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const [making, setMaking] = useState(false)
  const mayMake = useMay('DATASET_EDIT')
  const toast = useToast()
  const [exporting, setExporting] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const mayDelete = useMay('MANAGE_DATA')
  const { q, range, from, to, sources = 'all' } = search
  const some = (log.total ?? 0) > 0
  const copyLink = () => void navigator.clipboard.writeText(window.location.href).then(() => toast.done('Link copied'))
  return (
    <>
      <Menu trigger={<IconButton small look="plain" label="More"><Ellipsis /></IconButton>}>
        <DropdownMenu.Item asChild>
          <Link to="/$workspace/analytics" params={{ workspace: String(workspace) }} search={{ q, range, from, to, sources }} className="flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none data-[highlighted]:bg-hover [&_svg]:size-4">
            <ChartNoAxesColumn /> View in analytics
          </Link>
        </DropdownMenu.Item>
        <MenuLink><Link to="/$workspace/alerts" params={{ workspace: String(workspace) }} search={{ new: 'alert', q }}><BellRing /> Create alert</Link></MenuLink>
        <MenuItem onSelect={copyLink}><Link2 /> Copy link to this list</MenuItem>
        <MenuSeparator />
        <MenuItem disabled={!some || !mayMake} onSelect={() => setMaking(true)}><Database /> Create dataset from this search…</MenuItem>
        <MenuItem disabled={!some} onSelect={() => setExporting(true)}><Download /> Export…</MenuItem>
        {mayDelete && <MenuItem danger disabled={!some} onSelect={() => setDeleting(true)}><Trash2 /> Delete…</MenuItem>}
      </Menu>
      {making && <Suspense><DatasetFromSearch log={log} onClose={() => setMaking(false)} /></Suspense>}
      {exporting && <Suspense><ExportDialog source={exportSource(log)} noun="requests" total={log.total} onClose={() => setExporting(false)} /></Suspense>}
      {deleting && (
        <Suspense>
          <DeleteDialog title="Delete requests" subject={subjectWords(log)} selection={deletionSelection(log)} onDeleted={log.refresh} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Which requests are in the list, in words. */
function subjectWords({ query: { state } }: Log): string {
  const range = rangeWords(state)
  const sources = state.sources === 'production' ? ' · production only' : ''
  return `${state.q === undefined ? 'All requests' : `Requests that match ${state.q}`}${sources} · ${range.slice(0, 1).toLowerCase()}${range.slice(1)}`
}

/** The requests of the list. Without any condition, that they are all is said explicitly. */
function deletionSelection({ query: { state, epoch } }: Log): Selection {
  const body = requestBody(state, epoch)
  return body.q === undefined && body.filter_group === undefined ? { all: true } : body as Selection
}

function exportSource({ query: { workspace, state, epoch } }: Log) {
  const query = JSON.stringify(requestBody(state, epoch))
  return { path: '/api/public/v2/requests/export', workspace, parameters: { query }, columns: requestColumns, scheduled: { source: 'requests' as const, query } }
}
