import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

/** A group of buttons of which one is selected. */
export function Segments<Value extends string>({ label, value, options, onChange }: { label: string; value: Value; options: { value: Value; label: ReactNode }[]; onChange: (value: Value) => void }) {
  return (
    <div role="group" aria-label={label} className="inline-flex rounded-md border border-line bg-surface p-px text-[13px]">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cn('flex items-center gap-1.5 rounded px-2 py-0.5 text-dim hover:text-ink [&_svg]:size-3.5', option.value === value && 'bg-sunken font-medium text-ink')}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
