import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button, IconButton } from './button'

/** Copies a text and shows "Copied" for a moment. */
export function CopyButton({ text, label = 'Copy', words, className }: { text: string | (() => string); label?: string; /** Shown beside the icon. */ words?: string; className?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true))
  }
  const icon = copied ? <Check className="text-good" /> : <Copy />
  if (words === undefined) return <IconButton small label={copied ? 'Copied' : label} onClick={copy} className={className}>{icon}</IconButton>
  return <Button small onClick={copy} className={className}>{icon}{copied ? 'Copied' : words}</Button>
}

/** A piece of code with a copy button. */
export function Snippet({ code, className }: { code: string; className?: string }) {
  return (
    // Beside the text, which scrolls, not above it.
    <div className={cn('flex items-start rounded-md border border-line bg-sunken', className)}>
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto p-3 pr-1 font-mono text-xs leading-relaxed">{code}</pre>
      <CopyButton text={code} className="m-1.5 shrink-0" />
    </div>
  )
}
