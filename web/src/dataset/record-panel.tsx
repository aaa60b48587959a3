import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { IconButton } from '@/ui/button'
import { SidePanel } from '@/ui/dialog'
import { JsonView } from '@/ui/json'
import { requestOf } from './value'

/** A side panel for one row. Arrow keys go to the next and previous rows. */
export function RecordPanel({ index, total, number, onIndex, onClose, children }: {
  index: number
  total: number
  /** The number of the row, where not all rows are listed. */
  number?: number
  onIndex: (index: number) => void
  onClose: () => void
  children: ReactNode
}) {
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('textarea,input,select,[contenteditable]')) return
    const step = event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0
    if (step === 0 || index + step < 0 || index + step >= total) return
    event.preventDefault()
    onIndex(index + step)
  }
  return (
    <SidePanel open onOpenChange={(open) => !open && onClose()} title={`Row ${number ?? index + 1}`} onKeyDown={onKeyDown} className="md:w-[min(620px,52vw)]">
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <h2 className="tabular mr-auto font-semibold">Row {count(number ?? index + 1)} <span className="font-normal text-faint">{number === undefined ? '' : `· ${count(index + 1)} `}of {count(total)}</span></h2>
        <IconButton label="Previous row" disabled={index <= 0} onClick={() => onIndex(index - 1)}><ChevronUp /></IconButton>
        <IconButton label="Next row" disabled={index >= total - 1} onClick={() => onIndex(index + 1)}><ChevronDown /></IconButton>
        <IconButton label="Close" onClick={onClose}><X /></IconButton>
      </div>
      <div tabIndex={0} role="region" aria-label="Row values" className="min-h-0 flex-1 overflow-auto">{children}</div>
    </SidePanel>
  )
}

/** A complete value: JSON as a tree, text with its line breaks. */
export function FullValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="text-faint italic">null</span>
  if (value === '') return <span className="text-faint italic">empty</span>
  const request = requestOf(value)
  if (request !== null) return <RequestLink id={request} />
  if (typeof value === 'object') return <JsonView value={value} />
  return <p className={cn('break-words whitespace-pre-wrap', typeof value !== 'string' && 'font-mono text-[13px]')}>{String(value)}</p>
}

/** The logged request that the row was created from. */
function RequestLink({ id }: { id: number }) {
  const { workspace_id } = useSession()
  return <Link to="/$workspace/requests" params={{ workspace: String(workspace_id) }} search={{ request: id, range: 'all' }} className="text-accent-ink underline">Request {id}</Link>
}
