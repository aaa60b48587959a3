import { useState, type ReactNode } from 'react'
import { codeLanguages, httpCode, type CodeLanguage, type HttpCall } from '@/lib/http-code'
import { Snippet } from './copy'
import { Dialog } from './dialog'
import { Segments } from './segments'

const names: Record<CodeLanguage, string> = { curl: 'curl', python: 'Python', javascript: 'JavaScript', go: 'Go' }
const key = 'promptuary.code-language'

function remembered(): CodeLanguage {
  const stored = localStorage.getItem(key)
  return codeLanguages.find((one) => one === stored) ?? 'curl'
}

/** A request as code to copy. The language is remembered. */
export function UseInCode({ title, description, call, children, onClose }: { title: string; description: ReactNode; call: HttpCall; children?: ReactNode; onClose: () => void }) {
  const [language, setLanguage] = useState(remembered)
  const choose = (next: CodeLanguage) => {
    setLanguage(next)
    localStorage.setItem(key, next)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <div className="flex min-w-0 flex-col gap-3 pb-2">
        {children}
        <Segments label="Language" value={language} onChange={choose} options={codeLanguages.map((value) => ({ value, label: names[value] }))} />
        <Snippet code={httpCode(language, call)} className="max-h-[55dvh] overflow-y-auto" />
      </div>
    </Dialog>
  )
}

/** The headers of calls to this server. */
export const ownHeaders = { 'X-API-KEY': '$PROMPTUARY_API_KEY', 'Content-Type': 'application/json' }
