import type { TemplateFormat } from '../types'

export interface PromptTextProps {
  value: string
  onChange?: (value: string) => void
  format: TemplateFormat
  readOnly?: boolean
  placeholder?: string
  /** The names suggested after an opening brace. */
  variables?: string[]
  /** The names suggested after @@@. */
  snippets?: string[]
  /** The labels and versions of a snippet, as written after its name. */
  pins?: (snippet: string) => Promise<string[]>
  label: string
  className?: string
}
