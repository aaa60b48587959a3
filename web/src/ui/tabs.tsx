import { Tabs as Radix } from 'radix-ui'
import { useEffect, useRef, type ReactNode } from 'react'
import { cn } from '@/lib/cn'

/** Tabs whose state the caller keeps, so that it can be in the URL. */
export function Tabs<Value extends string>({ value, onChange, tabs, children, className, label }: {
  value: Value
  onChange: (value: Value) => void
  tabs: { value: Value; label: ReactNode }[]
  children: ReactNode
  className?: string
  label: string
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>('[data-state=active]')
    if (!shown || !list.current) return
    // Not with scrollIntoView, which would also scroll the page.
    const { left, right } = list.current.getBoundingClientRect()
    const tab = shown.getBoundingClientRect()
    if (tab.right > right) list.current.scrollLeft += Math.ceil(tab.right - right)
    else if (tab.left < left) list.current.scrollLeft -= Math.ceil(left - tab.left)
  }, [value])
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)} activationMode="manual" className={cn('flex min-h-0 flex-col', className)}>
      <Radix.List ref={list} aria-label={label} className="flex shrink-0 gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-dim focus-visible:-outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  )
}

export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string }) {
  return (
    <Radix.Content value={value} className={cn('min-h-0 flex-1 focus:outline-none', className)}>
      {children}
    </Radix.Content>
  )
}
