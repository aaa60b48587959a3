import { DropdownMenu, Popover as RadixPopover } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

const pop = 'z-50 rounded-md border border-line bg-surface text-ink shadow-pop focus:outline-none'

/** A menu that opens from the button given as `trigger`, with MenuItems as children. */
export function Menu({ trigger, children, align = 'end' }: { trigger: ReactNode; children: ReactNode; align?: 'start' | 'end' }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={4} collisionPadding={8} className={cn(pop, 'max-h-[70dvh] min-w-44 overflow-auto p-1')}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const row = 'flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0'

export function MenuItem({ onSelect, danger, disabled, children }: { onSelect: () => void; danger?: boolean; disabled?: boolean; children: ReactNode }) {
  return (
    <DropdownMenu.Item className={cn(row, danger && 'text-bad')} disabled={disabled} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  )
}

/** An item that navigates. Its child is a link, which can also be opened in a new tab. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={row}>
      {children}
    </DropdownMenu.Item>
  )
}

/** An item that can be on or off. The menu stays open. */
export function MenuCheck({ checked, onChange, children }: { checked: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  return (
    <DropdownMenu.CheckboxItem className={row} checked={checked} onCheckedChange={onChange} onSelect={(event) => event.preventDefault()}>
      <span aria-hidden className={cn('grid size-4 place-items-center rounded border border-line-strong text-[11px]', checked && 'border-accent bg-accent text-on-accent')}>
        {checked ? '✓' : ''}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-faint">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}

/** A small popup that opens from a button. */
export function Popover({ trigger, children, open, onOpenChange, align = 'start', className, label }: {
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  className?: string
  label?: string
}) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content aria-label={label} align={align} sideOffset={4} collisionPadding={8} className={cn(pop, 'max-w-[calc(100vw-1rem)] p-3', className)}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}
