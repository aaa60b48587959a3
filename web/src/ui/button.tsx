import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cn } from '@/lib/cn'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent font-medium',
  plain: 'bg-surface text-ink hover:bg-hover border-line-strong',
  quiet: 'bg-transparent text-dim hover:bg-hover hover:text-ink border-transparent',
  danger: 'bg-surface text-bad hover:bg-bad-soft border-line-strong',
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = 'plain', small = false): string {
  return cn(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    small ? 'h-7 px-2 text-[13px]' : 'h-8 px-3',
    looks[look],
  )
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look
  small?: boolean
  /** Shows a spinner and disables the button. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look, small, busy, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cn(buttonClass(look, small), className)} disabled={disabled === true || busy === true} aria-busy={busy} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'aria-label'> {
  /** What the button does: its accessible name and tooltip. */
  label: string
  children: ReactNode
}

/** A button with only an icon. */
export function IconButton({ label, look = 'quiet', small, className, ...rest }: IconButtonProps) {
  return <Button look={look} aria-label={label} title={label} className={cn('px-0', small ? 'w-7' : 'w-8', className)} small={small} {...rest} />
}

export function Spinner({ className }: { className?: string }) {
  return <span aria-hidden className={cn('inline-block size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent', className)} />
}
