import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp, Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { count } from '@/lib/format'
import { IconButton } from '@/ui/button'
import { Input } from '@/ui/field'
import type { Finding } from './use-find'

/** Searches in the trace: / focuses it, Enter goes to the next match. */
export function FindBar({ value, finding, current, onUse, onChange, onStep, onLeave, onExpand, onCollapse }: {
  value: string
  finding: Finding
  /** The selected span. */
  current: number
  /** The field got the focus. */
  onUse: () => void
  onChange: (value: string) => void
  onStep: (by: 1 | -1) => void
  /** Escape was pressed. */
  onLeave: () => void
  onExpand: () => void
  onCollapse: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  const none = finding.matches.length === 0
  return (
    <div className="flex items-center gap-2 border-b border-line bg-surface px-3 py-1.5">
      <div className="relative min-w-32 flex-1">
        <Search aria-hidden className="absolute top-2 left-2.5 size-4 text-faint" />
        <Input
          ref={input}
          type="search"
          aria-label="Search in this trace"
          placeholder="Search names, attributes, errors"
          className="pl-8"
          value={value}
          onFocus={onUse}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') onLeave()
            else return
            event.preventDefault()
          }}
        />
      </div>
      <span role="status" className="tabular text-[13px] whitespace-nowrap text-faint">
        {value.trim() !== '' && words(finding, current)}
      </span>
      <IconButton small label="Previous match (Shift+Enter)" disabled={none} onClick={() => onStep(-1)}><ChevronUp /></IconButton>
      <IconButton small label="Next match (Enter)" disabled={none} onClick={() => onStep(1)}><ChevronDown /></IconButton>
      <IconButton small label="Expand all" onClick={onExpand}><ChevronsUpDown /></IconButton>
      <IconButton small label="Collapse all" onClick={onCollapse}><ChevronsDownUp /></IconButton>
    </div>
  )
}

function words({ matches, state, searched }: Finding, current: number): string {
  if (state === 'failed') return 'The search failed'
  if (state === 'searching') return 'Searching…'
  const position = matches.indexOf(current)
  const found = matches.length === 0 ? 'No matches' : position < 0 ? `${count(matches.length)} ${matches.length === 1 ? 'match' : 'matches'}` : `${count(position + 1)} of ${count(matches.length)}`
  return searched === undefined ? found : `${found} in the first ${count(searched)} spans`
}

/** Focuses the field when a slash is typed outside of fields. */
function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.metaKey || event.ctrlKey || target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [input])
}
