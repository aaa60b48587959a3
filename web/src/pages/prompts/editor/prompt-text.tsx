import { lazy, Suspense } from 'react'
import { cn } from '@/lib/cn'
import type { TemplateFormat } from './types'

const LazyCode = lazy(() => import('./prompt-code'))

export interface PromptTextProps {
  value: string
  onChange?: (value: string) => void
  format: TemplateFormat
  readOnly?: boolean
  placeholder?: string
  /** Names that are offered after an opening brace. */
  variables?: string[]
  /** Names that are offered after @@@. */
  snippets?: string[]
  /** The labels and versions of a snippet, as they stand behind its name. */
  pins?: (snippet: string) => Promise<string[]>
  label: string
  className?: string
}

/** The text of a message, with its variables and snippets shown and completed. */
export function PromptText(props: PromptTextProps) {
  return (
    <Suspense fallback={<pre className={cn('overflow-hidden rounded-md border border-line-strong px-1.5 py-1 font-mono text-[13px] leading-[1.55] whitespace-pre-wrap', props.className)}>{props.value}</pre>}>
      <LazyCode {...props} />
    </Suspense>
  )
}
