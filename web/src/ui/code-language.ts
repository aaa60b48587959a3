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
