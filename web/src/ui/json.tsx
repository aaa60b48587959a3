import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn'

/**
 * A JSON value as a tree with collapsible objects and arrays. Long arrays show
 * their first items until the user asks for more.
 */
export function JsonView({ value, name, depth = 0, openTo = 2 }: { value: unknown; name?: string; depth?: number; openTo?: number }) {
  const [open, setOpen] = useState(depth < openTo)
  const [shown, setShown] = useState(100)
  const key = name === undefined ? null : <span className="text-info">{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="font-mono text-xs leading-relaxed break-words whitespace-pre-wrap">
        {key}
        <Leaf value={value} />
      </div>
    )
  }
  const list = Array.isArray(value)
  const members = list ? value.map((member, index) => [String(index), member] as const) : Object.entries(value)
  const summary = list ? `[${members.length}]` : `{${members.length}}`
  return (
    <div className="font-mono text-xs leading-relaxed">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex items-center gap-1 rounded text-left hover:bg-hover">
        <ChevronRight className={cn('size-3 text-faint transition-transform', open && 'rotate-90')} />
        {key}
        <span className="text-faint">{summary}</span>
      </button>
      {open && (
        <div className="ml-1.5 border-l border-line pl-3">
          {members.slice(0, shown).map(([member, inner]) => (
            <JsonView key={member} name={member} value={inner} depth={depth + 1} openTo={openTo} />
          ))}
          {members.length > shown && (
            <button type="button" className="text-accent-ink underline" onClick={() => setShown(shown + 500)}>
              {members.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="text-good">{JSON.stringify(value)}</span>
  if (typeof value === 'number') return <span className="text-warn">{String(value)}</span>
  return <span className="text-violet">{String(value)}</span>
}
