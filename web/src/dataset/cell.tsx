import { cn } from '@/lib/cn'
import { kindOf, oneLine, requestOf } from './value'

/** The value of a cell in one line. Numbers and JSON use a different font than text. */
export function CellValue({ value, missing }: { value: unknown; missing?: boolean }) {
  if (missing) return <span aria-hidden className="block h-2.5 w-2/3 rounded bg-sunken" />
  if (value === null || value === undefined) return <span className="text-faint italic">null</span>
  if (value === '') return <span className="text-faint italic">empty</span>
  const request = requestOf(value)
  if (request !== null) return <span className="block truncate">Request {request}</span>
  return <span className={cn('block truncate', kindOf(value) === 'json' && 'font-mono text-xs', typeof value === 'boolean' && 'text-violet')}>{oneLine(value)}</span>
}
