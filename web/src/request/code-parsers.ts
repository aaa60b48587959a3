import { javascriptLanguage, jsxLanguage, tsxLanguage, typescriptLanguage } from '@codemirror/lang-javascript'
import { jsonLanguage } from '@codemirror/lang-json'
import { pythonLanguage } from '@codemirror/lang-python'
import type { Parser } from '@lezer/common'

const languages: Record<string, { parser: Parser }> = {
  js: javascriptLanguage, javascript: javascriptLanguage, mjs: javascriptLanguage, jsx: jsxLanguage, ts: typescriptLanguage, typescript: typescriptLanguage, tsx: tsxLanguage,
  json: jsonLanguage, jsonl: jsonLanguage, py: pythonLanguage, python: pythonLanguage,
}

/** The parser of a language as named in Markdown, or null if it is not highlighted. */
export function parserOf(language: string): Parser | null {
  return languages[language.toLowerCase()]?.parser ?? null
}
