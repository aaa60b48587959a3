import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'violet'

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-dim border-line',
  accent: 'bg-accent-soft text-accent-ink border-transparent',
  good: 'bg-good-soft text-good border-transparent',
  warn: 'bg-warn-soft text-warn border-transparent',
  bad: 'bg-bad-soft text-bad border-transparent',
  info: 'bg-info-soft text-info border-transparent',
  violet: 'bg-violet-soft text-violet border-transparent',
}

/** A word in a small box, such as a status, label or count. */
export function Badge({ tone = 'neutral', children, className, title }: { tone?: Tone; children: ReactNode; className?: string; title?: string }) {
  return (
    <span title={title} className={cn('inline-flex max-w-full items-center gap-1 truncate rounded border px-1.5 py-px text-xs leading-[18px] font-medium', tones[tone], className)}>
      {children}
    </span>
  )
}

const statusTones: Record<string, Tone> = {
  SUCCESS: 'good', OK: 'good', COMPLETED: 'good', PASSED: 'good', WARNING: 'warn', WAITING: 'warn', ERROR: 'bad', FAILED: 'bad', RUNNING: 'info', QUEUED: 'neutral', PENDING: 'neutral', SKIPPED: 'neutral', CANCELLED: 'warn', CANCELED: 'warn',
}

/** A status of the API, in its colour and in lower case. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={statusTones[status.toUpperCase()] ?? 'neutral'}>{status.toLowerCase()}</Badge>
}
