import { download } from '@/lib/download'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesColumn, Database, Download, Ellipsis, Link2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { lazy, Suspense, useRef, useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { count } from '@/lib/format'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'
import { fetchRows, mostExported, toCsv } from './export'
import type { Search } from './search'
import type { Log } from './use-log'

// Rarely used dialogs are loaded on demand.
const DatasetFromSearch = lazy(() => import('./dataset-from-search').then((module) => ({ default: module.DatasetFromSearch })))

/** Further actions on the search results. */
export function MoreMenu({ log, search }: { log: Log; search: Search }) {
  const { workspace_id: workspace } = useSession()
  const [making, setMaking] = useState(false)
  const mayMake = useMay('DATASET_EDIT')
  const toast = useToast()
  const { busy, run } = useExport(log)
  const { q, range, from, to } = search
  const some = (log.total ?? 0) > 0
  const copyLink = () => void navigator.clipboard.writeText(window.location.href).then(() => toast.done('Link copied'))
  return (
    <>
      <Menu trigger={<IconButton small look="plain" label="More" busy={busy !== null}><Ellipsis /></IconButton>}>
        <DropdownMenu.Item asChild>
          <Link to="/$workspace/analytics" params={{ workspace: String(workspace) }} search={{ q, range, from, to }} className="flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none data-[highlighted]:bg-hover [&_svg]:size-4">
            <ChartNoAxesColumn /> View in analytics
          </Link>
        </DropdownMenu.Item>
        <MenuItem onSelect={copyLink}><Link2 /> Copy link to this list</MenuItem>
        <MenuSeparator />
        <MenuItem disabled={!some || !mayMake} onSelect={() => setMaking(true)}><Database /> Create dataset from this search…</MenuItem>
        <MenuItem disabled={!some || busy !== null} onSelect={() => run('csv')}><Download /> Export as CSV</MenuItem>
        <MenuItem disabled={!some || busy !== null} onSelect={() => run('json')}><Download /> Export as JSON</MenuItem>
        {(log.total ?? 0) > mostExported && <p className="max-w-56 px-2 pb-1 text-xs text-faint">Exports the first {count(mostExported)} requests.</p>}
      </Menu>
      {busy !== null && <span role="status" className="tabular text-[13px] text-dim">{count(busy)} exported</span>}
      {making && <Suspense><DatasetFromSearch log={log} onClose={() => setMaking(false)} /></Suspense>}
    </>
  )
}

function useExport(log: Log) {
  const [busy, setBusy] = useState<number | null>(null)
  const toast = useToast()
  const stop = useRef(new AbortController())
  const run = (format: 'csv' | 'json') => {
    setBusy(0)
    fetchRows(log.query, log.total ?? 0, setBusy, stop.current.signal)
      .then((rows) => {
        if (format === 'csv') download('requests.csv', new Blob([toCsv(rows)], { type: 'text/csv' }))
        else download('requests.json', new Blob([JSON.stringify(rows, null, 2)], { type: 'application/json' }))
        toast.done(`${count(rows.length)} requests exported`)
      })
      .catch(toast.failed)
      .finally(() => setBusy(null))
  }
  return { busy, run }
}
