import { ListFilter, Search, TextCursorInput, X } from 'lucide-react'
import { useContext, useEffect, useId, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button, IconButton } from '@/ui/button'
import { Popover } from '@/ui/menu'
import { Builder } from './lazy-builder'
import { findError, parse, parsePlaced, type QueryError } from './parse'
import { Pill } from './pill'
import { QueryProblem } from './query-error'
import type { QueryState } from './state'
import { emptyQuery } from './syntax'
import { Typing } from './typing'
import { QueryVocabulary } from './vocabulary-context'

/**
 * The query field. Typed text becomes pills once it is complete. Pills and text
 * are two views of the same state, and both can be edited. Text that cannot be
 * parsed stays in the field, with the error below it.
 */
export function QueryBar<State extends QueryState>({ state, onChange, error, className }: {
  state: State
  onChange: (state: State) => void
  /** The server's error for the query. */
  error?: unknown
  className?: string
}) {
  const text = state.q ?? ''
  const vocabulary = useContext(QueryVocabulary)
  const broken = findError(text, vocabulary)
  const [asText, setAsText] = useState(false)
  const [draft, setDraft] = useState('')
  const [problem, setProblem] = useState<{ text: string; error: QueryError } | null>(null)
  const [seen, setSeen] = useState(text)
  const [sent, setSent] = useState(text)
  if (seen !== text) {
    setSeen(text)
    if (text !== sent) {
      // The query was set elsewhere: by a link, a view or a click in a chart.
      setSent(text)
      setAsText(false)
      setDraft('')
      setProblem(null)
    }
  }
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  // A query that cannot be parsed has no pills.
  const whole = asText || broken !== null
  const shown = whole && !asText && draft === '' ? text : draft
  const set = (next: string) => {
    setSent(next)
    setDraft('')
    setAsText(false)
    setProblem(null)
    if (next !== text) onChange({ ...state, q: next === '' ? undefined : next })
  }
  const commit = (typed: string) => {
    const next = (whole ? typed : `${text} ${typed}`).trim()
    const wrong = findError(next, vocabulary)
    if (wrong === null) set(next)
    else setProblem({ text: next, error: wrong })
  }
  const placed = whole ? [] : parsePlaced(text, vocabulary)
  const cut = (from: number, to: number, instead = '') => set(`${text.slice(0, from)}${instead}${text.slice(to)}`.replace(/\s+/g, (space) => space.slice(0, 1)).trim())
  const takeBack = () => {
    const last = placed.at(-1)
    if (last === undefined) return
    cut(last.from, last.to)
    setDraft(text.slice(last.from, last.to))
  }
  const fault = problem ?? (broken === null ? null : { text, error: broken })
  return (
    <div className={cn('min-w-0', className)}>
      <div className={cn('relative flex min-h-8 flex-wrap items-center gap-1 rounded-md border border-line-strong bg-surface py-[3px] pr-1 pl-2 focus-within:outline-2 focus-within:outline-accent', fault && 'border-bad')}>
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        {placed.map(({ node, from, to }) => (
          <Pill key={`${from} ${text.slice(from, to)}`} node={node} context={{ ...state, q: cutText(text, from, to) }} onRemove={() => cut(from, to)} onReplace={(instead) => cut(from, to, instead)} />
        ))}
        <Typing
          input={input}
          value={shown}
          onChange={(next) => {
            setDraft(next)
            setProblem(null)
            if (broken !== null) setAsText(true)
          }}
          onCommit={commit}
          onBackspace={takeBack}
          onEscape={() => {
            setAsText(false)
            setDraft('')
            setProblem(null)
          }}
          context={whole ? { ...state, q: undefined } : state}
          placeholder={text === '' ? `Search, or filter: ${vocabulary.example}` : ''}
          problemId={fault ? `${id}-problem` : undefined}
        />
        <div className="ml-auto flex shrink-0 items-center">
          {text !== '' && (
            <>
              {!whole && (
                <IconButton small label="Edit as text" className="h-6 w-6" onClick={() => {
                  setAsText(true)
                  setDraft(text)
                  input.current?.focus()
                }}>
                  <TextCursorInput />
                </IconButton>
              )}
              <IconButton small label="Clear query" className="h-6 w-6" onClick={() => set('')}><X /></IconButton>
            </>
          )}
          <BuilderButton text={broken === null ? text : ''} context={{ ...state, q: undefined }} onApply={set} />
        </div>
      </div>
      {fault ? <QueryProblem id={`${id}-problem`} text={fault.text} error={fault.error} /> : error !== undefined && error !== null && <QueryProblem id={`${id}-server`} text={text} error={error} />}
    </div>
  )
}

function cutText(text: string, from: number, to: number): string {
  return (text.slice(0, from) + text.slice(to)).trim()
}

/** Focuses the query field when a slash is typed outside of fields. */
function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.metaKey || event.ctrlKey || target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [input])
}

function BuilderButton({ text, context, onApply }: { text: string; context: QueryState; onApply: (text: string) => void }) {
  const [open, setOpen] = useState(false)
  const vocabulary = useContext(QueryVocabulary)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label="Query builder"
      className="max-h-[70dvh] w-[38rem] overflow-auto"
      trigger={<Button small look="quiet" className="h-6"><ListFilter /> Filter</Button>}
    >
      <Builder
        root={text === '' ? emptyQuery : parse(text, vocabulary)}
        context={context}
        onCancel={() => setOpen(false)}
        onApply={(next) => {
          setOpen(false)
          onApply(next)
        }}
      />
    </Popover>
  )
}
