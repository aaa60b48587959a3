import type { TemplateFormat } from '../types'

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
