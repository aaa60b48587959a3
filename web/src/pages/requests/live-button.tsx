import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'

/** Switches the live tail on and off, and shows why it is interrupted. */
export function LiveButton({ on, interrupted, onChange }: { on: boolean; interrupted: string | null; onChange: (on: boolean) => void }) {
  const words = interrupted === null ? '' : `Live updates interrupted: ${interrupted}`
  return (
    <>
      <Button
        small
        aria-pressed={on}
        onClick={() => onChange(!on)}
        title={words || (on ? 'Stop live updates' : 'Show new requests as they arrive')}
        className={cn('min-w-0', on && 'border-accent bg-accent-soft text-accent-ink hover:bg-accent-soft', words && 'border-warn bg-warn-soft text-warn hover:bg-warn-soft')}
      >
        <span aria-hidden className={cn('size-2 shrink-0 rounded-full', words ? 'bg-warn' : on ? 'animate-pulse bg-accent' : 'bg-line-strong')} />
        <span className="max-w-48 truncate md:max-w-md">{words || 'Live'}</span>
      </Button>
      <span role="status" className="sr-only">{words}</span>
    </>
  )
}
