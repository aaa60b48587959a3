import { useContext, useId, useState } from 'react'
import { fieldChoices, keyChoices, placeAt, valueChoices, type Choice } from './complete'
import type { QueryState } from './state'
import { SuggestList } from './suggest-list'
import { useKeys, useValues } from './suggestions'
import { QueryVocabulary } from './vocabulary-context'

/** The text field of the query, with suggestions below it. */
export function Typing({ input, value, onChange, onCommit, onBackspace, onEscape, context, placeholder, problemId }: {
  input: React.RefObject<HTMLInputElement | null>
  value: string
  onChange: (value: string) => void
  onCommit: (value: string) => void
  onBackspace: () => void
  onEscape: () => void
  context: QueryState
  placeholder: string
  problemId: string | undefined
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [caret, setCaret] = useState(0)
  const choices = useChoices(value, Math.min(caret, value.length), context, open)
  const shown = open && choices.length > 0
  // The query was submitted: close the list, which would cover the results.
  const commit = (text: string) => {
    setOpen(false)
    setActive(-1)
    onCommit(text)
  }
  const take = (choice: Choice) => {
    const next = value.slice(0, choice.from) + choice.text + value.slice(caret)
    setActive(-1)
    if (choice.complete && caret >= value.length) return commit(next)
    onChange(next)
    setCaret(choice.from + choice.text.length)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const chosen = choices[event.key === 'Tab' ? Math.max(active, 0) : active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(Math.max(-1, Math.min(choices.length - 1, active + step)))
    } else if (event.key === 'Enter' || (event.key === 'Tab' && shown && value !== '' && !event.shiftKey)) {
      event.preventDefault()
      if (shown && chosen !== undefined) take(chosen)
      else commit(value)
    } else if (event.key === 'Backspace' && value === '') {
      event.preventDefault()
      setOpen(true)
      onBackspace()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (shown) return setOpen(false)
      onEscape()
      input.current?.blur()
    }
  }
  return (
    <>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Query"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={problemId !== undefined}
        aria-describedby={problemId}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        className="h-6 min-w-28 flex-1 bg-transparent outline-none placeholder:text-faint"
        onChange={(event) => {
          onChange(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <SuggestList
          id={id}
          label="Suggestions"
          items={choices}
          active={active}
          onPick={(index) => choices[index] && take(choices[index])}
          footer={<>↑↓ to select, Tab or Enter to accept. Use - to exclude, OR and parentheses to combine, and quotation marks for exact text.</>}
        />
      )}
    </>
  )
}

/** The suggestions at the caret. */
function useChoices(text: string, caret: number, context: QueryState, open: boolean): Choice[] {
  const vocabulary = useContext(QueryVocabulary)
  const place = placeAt(text, caret, vocabulary)
  const keys = useKeys(place.kind === 'key' ? place.field : undefined, place.prefix, context, open)
  const values = useValues(place.kind === 'value' ? place.field : undefined, place.kind === 'value' ? place.key : undefined, place.prefix, context, open)
  if (place.kind === 'field') return fieldChoices(place, vocabulary)
  return place.kind === 'key' ? keyChoices(place, keys) : valueChoices(place, values)
}
