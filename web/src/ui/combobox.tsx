import { Command } from 'cmdk'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { Popover } from './menu'

export interface Option {
  value: string
  label: string
  note?: string
}

/** A select with search, for long lists of options. */
export function Combobox({ options, value, onChange, label, placeholder = 'Choose…', className, onSearch, disabled }: {
  options: Option[]
  value: string | null
  onChange: (value: string) => void
  label: string
  placeholder?: string
  className?: string
  /** Called with the typed text. The caller then provides other options. */
  onSearch?: (text: string) => void
  disabled?: boolean
}) {
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState('')
  const keys = options.map(keyOf)
  // When options arrive after typing, Enter picks the first of them.
  const brought = onSearch && { shouldFilter: false, value: keys.includes(at) ? at : (keys[0] ?? ''), onValueChange: setAt }
  const chosen = options.find((option) => option.value === value)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      className="w-72 p-0"
      label={label}
      trigger={
        <Button role="combobox" aria-expanded={open} aria-label={label} disabled={disabled} className={cn('min-w-40 justify-between font-normal', className)}>
          <span className={cn('truncate', !chosen && 'text-faint')}>{chosen?.label ?? value ?? placeholder}</span>
          <ChevronsUpDown className="text-faint" />
        </Button>
      }
    >
      <Command label={label} {...brought}>
        <Command.Input autoFocus placeholder="Search…" onValueChange={onSearch} className="h-9 w-full border-b border-line bg-transparent px-3 outline-none placeholder:text-faint" />
        <Command.List className="max-h-72 overflow-auto p-1">
          <Command.Empty className="px-2 py-4 text-center text-faint">No results</Command.Empty>
          {options.map((option) => (
            <Command.Item
              key={option.value}
              value={keyOf(option)}
              onSelect={() => {
                onChange(option.value)
                setOpen(false)
              }}
              className="flex items-center justify-between gap-2 rounded px-2 py-1.5 data-[selected=true]:bg-hover"
            >
              <span className="truncate">{option.label}</span>
              {option.note && <span className="shrink-0 text-xs text-faint">{option.note}</span>}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Popover>
  )
}

/** The text that an option is found by. */
function keyOf(option: Option): string {
  return `${option.label} ${option.value}`.trim()
}
