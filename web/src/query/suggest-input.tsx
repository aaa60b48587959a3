import { useId, useState } from 'react'
import { Input } from '@/ui/field'
import { SuggestList } from './suggest-list'

/** A text field with suggestions. */
export function SuggestInput({ label, value, onChange, options, take = (option) => option, open, onOpenChange, placeholder, className, onEnter }: {
  label: string
  value: string
  onChange: (value: string) => void
  options: string[]
  /** The text after choosing an option. Defaults to the option itself. */
  take?: (option: string) => string
  /** Whether the list is open. Options are only needed then. */
  open: boolean
  onOpenChange: (open: boolean) => void
  placeholder?: string
  className?: string
  onEnter?: () => void
}) {
  const id = useId()
  const [active, setActive] = useState(-1)
  const shown = open && options.length > 0
  const pick = (index: number) => {
    const option = options[index]
    if (option === undefined) return
    onChange(take(option))
    onOpenChange(false)
    setActive(-1)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      onOpenChange(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((old) => Math.max(-1, Math.min(options.length - 1, old + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (shown && active >= 0) pick(active)
      else onEnter?.()
    } else if (event.key === 'Escape' && shown) {
      event.stopPropagation()
      onOpenChange(false)
    }
  }
  return (
    <div className={className ?? 'relative min-w-24 flex-1'}>
      <Input
        role="combobox"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onChange={(event) => {
          onChange(event.target.value)
          onOpenChange(true)
          setActive(-1)
        }}
        onFocus={() => onOpenChange(true)}
        onBlur={() => onOpenChange(false)}
        onKeyDown={onKeyDown}
      />
      {shown && <SuggestList id={id} label={label} items={options.map((option) => ({ label: option }))} active={active} onPick={pick} className="min-w-52" />}
    </div>
  )
}
