import { useEffect, useRef, useState } from 'react'
import { editable, kindOf, readTyped } from '@/dataset/value'
import { cn } from '@/lib/cn'

/** The result of editing a cell in the grid. */
export interface Outcome {
  /** Where to move the focus; "leave" when it is already elsewhere. */
  then: 'stay' | 'next' | 'down' | 'leave'
  /** The new value, if it changed. */
  change?: { value: unknown }
}

/**
 * Edits a cell in place. Enter saves and moves down, Tab saves and moves right,
 * Escape cancels, and Shift+Enter starts a new line.
 */
export function CellEditor({ value, typed, label, onEnd }: { value: unknown; typed?: string; label: string; onEnd: (outcome: Outcome) => void }) {
  const kind = kindOf(value)
  const [text, setText] = useState(() => typed ?? editable(value, kind))
  const [wrong, setWrong] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const ended = useRef(false)
  useEffect(() => {
    const field = area.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const end = (then: Outcome['then']) => {
    if (ended.current) return
    try {
      const next = readTyped(text, kind)
      ended.current = true
      // Unchanged text is not a change, so null stays null.
      onEnd(text === editable(value, kind) ? { then } : { then, change: { value: next } })
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error))
    }
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      ended.current = true
      onEnd({ then: 'stay' })
    } else if (event.key === 'Enter' && !event.shiftKey) end('down')
    else if (event.key === 'Tab' && !event.shiftKey) end('next')
    else return
    event.preventDefault()
  }
  return (
    <div className="absolute top-0 left-0 z-20 flex w-[max(100%,16rem)] flex-col shadow-pop">
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={wrong !== null}
        rows={Math.min(Math.max(text.split('\n').length, Math.ceil(text.length / 42), 1), 10)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => end('leave')}
        className={cn('w-full resize-none border-2 border-accent bg-surface px-2 py-1.5 text-[13px] leading-snug outline-none', kind === 'json' && 'font-mono text-xs')}
      />
      {wrong && <p role="alert" className="bg-bad-soft px-2 py-1 text-xs text-bad">{wrong}</p>}
    </div>
  )
}
