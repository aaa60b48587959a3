import { cn } from '@/lib/cn'
import { percent } from '@/lib/format'
import { ProgressBar } from '@/ui/progress'
import type { Step } from './use-import'

const words = {
  reading: { title: 'Reading file', order: 0 },
  sending: { title: 'Uploading', order: 1 },
  importing: { title: 'Creating version', order: 2 },
} as const

const steps = ['reading', 'sending', 'importing'] as const

/** The progress of an import: the step, and how much of it is complete. */
export function ImportProgress({ step }: { step: Extract<Step, { share: unknown }> }) {
  const current = words[step.at].order
  return (
    <ol className="flex flex-col gap-2.5">
      {steps.map((name) => {
        const { title, order } = words[name]
        const share = order < current ? 1 : order > current ? 0 : step.share
        return (
          <li key={name} className={cn('flex flex-col gap-1 text-[13px]', order > current && 'text-faint')}>
            <span className="flex justify-between gap-3">
              <span>{title}</span>
              <span className="tabular text-dim">{share === null ? 'in progress' : share === 1 ? 'done' : order === current ? percent(share) : ''}</span>
            </span>
            <ProgressBar label={title} share={share} />
          </li>
        )
      })}
    </ol>
  )
}
