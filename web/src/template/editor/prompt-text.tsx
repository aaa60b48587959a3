import { lazy, Suspense } from 'react'
import { cn } from '@/lib/cn'
import type { PromptTextProps } from './prompt-text-props'

const LazyCode = lazy(() => import('./prompt-code'))

/** The text of a message, with highlighting and completion of variables and snippets. */
export function PromptText(props: PromptTextProps) {
  return (
    <Suspense fallback={<pre className={cn('overflow-hidden rounded-md border border-line-strong px-1.5 py-1 font-mono text-[13px] leading-[1.55] whitespace-pre-wrap', props.className)}>{props.value}</pre>}>
      <LazyCode {...props} />
    </Suspense>
  )
}
