import { RefreshCw, ZoomOut } from 'lucide-react'
import { cn } from '@/lib/cn'
import { ProductionSwitch, rememberSources } from '@/query/production-switch'
import { QueryBar } from '@/query/query-bar'
import { queryError } from '@/query/state'
import { TimeRange } from '@/query/time-range'
import { Button, IconButton } from '@/ui/button'
import { zoomedOut, type Shown } from './zoom'

/** The query and its time range, with a button to zoom out. */
export function QueryStrip({ shown, onChange, error, busy, onRefresh, children }: {
  shown: Shown
  onChange: (next: Shown) => void
  error: unknown
  busy: boolean
  onRefresh: () => void
  children?: React.ReactNode
}) {
  return (
    <div className="flex flex-wrap items-start gap-2 border-b border-line bg-surface px-4 py-2 md:px-5">
      <QueryBar className="min-w-full flex-1 sm:min-w-0" state={shown} onChange={onChange} error={queryError(shown) === null ? error : undefined} />
      {shown.back !== undefined && <Button onClick={() => onChange(zoomedOut(shown))}><ZoomOut /> Zoom out</Button>}
      <TimeRange state={shown} onChange={({ q, range, from, to }) => onChange({ q, range, from, to, sources: shown.sources })} />
      <ProductionSwitch
        state={shown}
        onChange={(sources) => {
          rememberSources(sources)
          onChange({ ...shown, sources })
        }}
      />
      <IconButton label="Refresh" onClick={onRefresh}><RefreshCw className={cn(busy && 'animate-spin')} /></IconButton>
      {children}
    </div>
  )
}
