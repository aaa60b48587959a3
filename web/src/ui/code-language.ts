import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { python } from '@codemirror/lang-python'
import type { Extension } from '@codemirror/state'

export type Language = 'json' | 'javascript' | 'typescript' | 'python' | 'markdown' | 'text'

export function languageExtension(language: Language): Extension {
  switch (language) {
    case 'json':
      return json()
    case 'javascript':
      return javascript()
    case 'typescript':
      return javascript({ typescript: true })
    case 'python':
      return python()
    case 'markdown':
      return markdown()
    case 'text':
      return []
  }
}

/** The language that the ending of a file's name tells. */
export function languageOf(path: string): Language {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const languages: Record<string, Language> = {
    json: 'json', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', ts: 'typescript', tsx: 'typescript', py: 'python', md: 'markdown', markdown: 'markdown',
  }
  return languages[ending] ?? 'text'
}
