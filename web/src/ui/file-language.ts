import type { Language } from './code-language'

/** The language for the extension of a file name. */
export function languageOf(path: string): Language {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const languages: Record<string, Language> = {
    json: 'json', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', ts: 'typescript', tsx: 'typescript', py: 'python', md: 'markdown', markdown: 'markdown',
  }
  return languages[ending] ?? 'text'
}
