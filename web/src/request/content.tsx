import { ChevronRight, Download, ExternalLink } from 'lucide-react'
import { lazy, Suspense, useContext, useState, type ReactNode, type Ref } from 'react'
import { cn } from '@/lib/cn'
import { bytes } from '@/lib/format'
import { CopyButton } from '@/ui/copy'
import { JsonView } from '@/ui/json'
import type { Content, ToolCall } from './blueprint'
import { cutAtMarks, Marks } from './marks'
import { useTextView } from './text-view'

// Markdown and its highlighting are loaded with the first message.
const Markdown = lazy(() => import('./markdown'))

const clip = 6000

/** A text. Long ones are cut until the user asks for more; JSON is collapsible, unless the user wants raw texts. */
function TextBlock({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const [view] = useTextView()
  const json = view === 'raw' ? undefined : parsedObject(text)
  if (json !== undefined) return <JsonView value={json} openTo={3} />
  const long = text.length > clip
  const shown = long && !all ? text.slice(0, clip) : text
  const plain = <Plain text={shown} />
  return (
    <div className="min-w-0">
      {view === 'raw' ? plain : <Suspense fallback={plain}><Formatted text={shown} /></Suspense>}
      {long && (
        <button type="button" className="text-accent-ink underline" onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show all ${text.length.toLocaleString('en-US')} characters`}
        </button>
      )}
    </div>
  )
}

function Formatted({ text }: { text: string }) {
  const marks = useContext(Marks)
  return <Markdown text={text} marks={marks} />
}

function Plain({ text }: { text: string }) {
  const marks = useContext(Marks)
  return (
    <div className="break-words whitespace-pre-wrap">
      {cutAtMarks(text, marks).map((part, index) => (index % 2 === 1 ? <mark key={index} className="rounded-sm bg-warn-soft text-warn">{part}</mark> : part))}
    </div>
  )
}

function parsedObject(text: string): object | undefined {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed) || trimmed.length > 500_000) return undefined
  try {
    const value: unknown = JSON.parse(trimmed)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

export function ContentView({ content }: { content: Content }) {
  switch (content.kind) {
    case 'text':
      return content.text === '' ? null : <TextBlock text={content.text} />
    case 'thinking':
      return <Folded summary="Thinking"><TextBlock text={content.text} /></Folded>
    case 'code':
      return (
        <div className="flex items-start rounded bg-sunken">
          <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto p-2 font-mono text-xs">{content.text}</pre>
          <CopyText text={content.text} what="code" />
        </div>
      )
    case 'image':
      return <Image url={content.url} />
    case 'media':
      return <Address url={content.url} words={content.title} />
    case 'variable':
      return <span className="rounded bg-sunken px-1.5 py-0.5 font-mono text-xs">{`{${content.name}}`}</span>
    case 'other':
      return <Folded summary={content.type.replaceAll('_', ' ')}><JsonView value={content.value} /></Folded>
  }
}

/** Shows only images contained in the log: others would reveal the reader to their host. */
function Image({ url }: { url: string }) {
  if (/^data:image\/(png|jpe?g|gif|webp|avif);base64,/i.test(url)) return <img src={url} alt="Image in the message" className="max-h-80 max-w-full rounded border border-line" />
  return <Address url={url} words="Image" />
}

function Address({ url, words }: { url: string; words: string }) {
  if (/^data:[^,]*;base64,/i.test(url)) return <ContainedFile url={url} words={words} />
  if (!/^https?:\/\//i.test(url)) return <span className="text-faint">{words}: {url.slice(0, 80)}{url.length > 80 && '…'}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="inline-flex max-w-full items-center gap-1 text-accent-ink underline" title="Opens an external site">
      <ExternalLink className="size-3.5 shrink-0" /> <span className="truncate">{words}: {url}</span>
    </a>
  )
}

/** A file contained in the log. It is only downloaded, because showing it could run its scripts. */
function ContainedFile({ url, words }: { url: string; words: string }) {
  const size = Math.floor((url.length - url.indexOf(',') - 1) * 0.75)
  return (
    <a href={url} download={words} className="inline-flex max-w-full items-center gap-1 text-accent-ink underline">
      <Download className="size-3.5 shrink-0" /> <span className="truncate">{words} ({bytes(size)})</span>
    </a>
  )
}

/** A tool call in one line with collapsible arguments. */
export function CallView({ call }: { call: ToolCall }) {
  return (
    <Folded summary={<>Calls<span className="font-mono">{call.name}</span><Brief text={call.arguments} /></>}>
      <div className="flex items-start gap-1"><div className="min-w-0 flex-1"><TextBlock text={call.arguments} /></div><CopyText text={call.arguments} what="arguments" /></div>
      {call.id !== '' && <p className="mt-1 text-xs text-faint">Call {call.id}</p>}
    </Folded>
  )
}

export function Brief({ text }: { text: string }) {
  return <span className="truncate font-normal text-faint">{text.slice(0, 120)}</span>
}

/** Collapsible content. */
export function Folded({ summary, children, open = false }: { summary: ReactNode; children: ReactNode; open?: boolean }) {
  return (
    <details open={open} className="group rounded-md border border-line bg-canvas">
      <summary className="flex list-none items-center gap-1.5 truncate rounded-md px-2 py-1 text-[13px] font-medium text-dim hover:bg-hover">
        <ChevronRight className="size-3.5 shrink-0 transition-transform group-open:rotate-90" /> <span className="flex min-w-0 items-baseline gap-1.5 truncate">{summary}</span>
      </summary>
      <div className="border-t border-line p-2">{children}</div>
    </details>
  )
}

/** The heading of a part of the panel. */
export function Section({ title, actions, children, className, ref }: { title: string; actions?: ReactNode; children: ReactNode; className?: string; ref?: Ref<HTMLElement> }) {
  return (
    <section ref={ref} aria-label={title} className={cn('flex flex-col gap-2', className)}>
      <div className="flex h-7 items-center justify-between gap-2">
        <h3 className="text-[13px] font-semibold">{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  )
}

export function CopyText({ text, what }: { text: string; what: string }) {
  return <CopyButton text={text} label={`Copy ${what}`} className="size-6" />
}
