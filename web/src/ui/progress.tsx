import { cn } from '@/lib/cn'

/** A progress bar; without a fraction it is indeterminate. */
export function ProgressBar({ label, share, className }: { label: string; share: number | null; className?: string }) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      className={cn('block h-1.5 overflow-hidden rounded-full bg-sunken', className)}
    >
      <span className={cn('block h-full rounded-full bg-accent transition-[width]', share === null && 'w-full animate-pulse')} style={share === null ? undefined : { width: `${share * 100}%` }} />
    </span>
  )
}
