import { useState } from 'react'
import { cn } from '@/lib/cn'
import { Input } from '@/ui/field'

/**
 * A name that is applied when the field loses focus, so that a half-typed name
 * never conflicts with another one. Escape restores the old name.
 */
export function NameInput({ value, onRename, taken, label, id, locked, className, autoFocus }: {
  value: string
  onRename: (name: string) => void
  /** Names already in use. */
  taken: string[]
  label?: string
  id?: string
  locked: boolean
  className?: string
  autoFocus?: boolean
}) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    setText(value)
  }
  const name = text.trim()
  const wrong = name !== value && (name === '' || name.length > 255 || taken.includes(name))
  const finish = () => {
    if (wrong) setText(value)
    else if (name !== value) onRename(name)
  }
  return (
    <Input
      id={id}
      aria-label={label}
      aria-invalid={wrong}
      title={wrong && name !== '' ? 'This name is already in use or too long' : undefined}
      disabled={locked}
      autoFocus={autoFocus}
      spellCheck={false}
      className={cn('font-mono text-[13px]', className)}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish()
        if (event.key === 'Escape' && text !== value) {
          event.stopPropagation()
          setText(value)
        }
      }}
    />
  )
}
