import { classHighlighter, highlightCode } from '@lezer/highlight'
import { ExternalLink } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '@/ui/copy'
import { parserOf } from './code-parsers'
import { cutAtMarks } from './marks'

/**
 * A text as Markdown. HTML in it is shown as text, links have only safe
 * protocols, and images of other hosts are links: loading them would reveal the
 * reader. Import it lazily.
 */
export default memo(function Markdown({ text, marks }: { text: string; marks: RegExp | null }) {
  return (
    <div className="flex min-w-0 flex-col gap-2 break-words">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={marks === null ? [] : [[markTexts, marks]]} components={components}>{text}</ReactMarkdown>
    </div>
  )
})

const heading = ({ children }: { children?: ReactNode }) => <p className="pt-1 font-semibold">{children}</p>

const components: Components = {
  h1: ({ children }) => <p className="pt-1 text-base font-semibold">{children}</p>,
  h2: heading, h3: heading, h4: heading, h5: heading, h6: heading,
  // A single line break is one in most prompts, although not in Markdown.
  p: ({ children }) => <p className="whitespace-pre-wrap">{children}</p>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => <ol start={start} className="flex list-decimal flex-col gap-1 pl-6">{children}</ol>,
  li: ({ children }) => <li className="[&>ol]:mt-1 [&>ul]:mt-1">{children}</li>,
  blockquote: ({ children }) => <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-dim">{children}</blockquote>,
  hr: () => <hr className="border-line" />,
  a: ({ href, children }) => (href ? <a href={href} target="_blank" rel="noreferrer noopener" title="Opens an external site" className="text-accent-ink underline">{children}</a> : <span>{children}</span>),
  img: ({ src, alt }) => <RemoteImage url={typeof src === 'string' ? src : ''} words={alt ?? ''} />,
  table: ({ children }) => <div tabIndex={0} className="overflow-x-auto"><table className="border-collapse text-[13px]">{children}</table></div>,
  th: ({ children }) => <th className="border border-line bg-sunken px-2 py-1 text-left font-medium">{children}</th>,
  td: ({ children }) => <td className="border border-line px-2 py-1 align-top">{children}</td>,
  input: ({ checked }) => <span>{checked ? '☑' : '☐'} </span>,
  code: ({ className, children }) => {
    const text = String(children)
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1]
    // Only blocks have line breaks: react-markdown ends them with one.
    return language !== undefined || text.endsWith('\n') ? <CodeBlock code={text.replace(/\n$/, '')} language={language} /> : <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">{children}</code>
  },
  pre: ({ children }) => <>{children}</>,
}

function RemoteImage({ url, words }: { url: string; words: string }) {
  const title = words === '' ? 'Image' : `Image: ${words}`
  if (!/^https?:\/\//i.test(url)) return <span className="text-faint">{title}</span>
  return <a href={url} target="_blank" rel="noreferrer noopener" title={`Opens ${url}`} className="inline-flex items-center gap-1 text-accent-ink underline"><ExternalLink className="size-3.5" /> {title}</a>
}

/** Longer blocks are not highlighted. */
const mostHighlighted = 50_000

export function CodeBlock({ code, language }: { code: string; language?: string }) {
  const parser = code.length > mostHighlighted ? null : parserOf(language ?? '')
  return (
    <div className="flex items-start rounded-md border border-line bg-sunken">
      <pre tabIndex={0} aria-label={language === undefined ? 'Code' : `Code in ${language}`} className="highlighted min-w-0 flex-1 overflow-x-auto p-2.5 pr-1 font-mono text-xs leading-relaxed">{parser === null ? code : highlighted(code, parser)}</pre>
      <CopyButton text={code} label="Copy code" className="m-1 shrink-0" />
    </div>
  )
}

function highlighted(code: string, parser: NonNullable<ReturnType<typeof parserOf>>): ReactNode[] {
  const parts: ReactNode[] = []
  highlightCode(
    code, parser.parse(code), classHighlighter,
    (text, classes) => parts.push(classes === '' ? text : <span key={parts.length} className={classes}>{text}</span>),
    () => parts.push('\n'),
  )
  return parts
}

interface TreeNode {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: TreeNode[]
}

/** Marks the words of the query. Code keeps its own colours. */
function markTexts(marks: RegExp) {
  const visit = (node: TreeNode) => {
    if (node.tagName === 'code') return
    node.children = node.children?.flatMap((child) => {
      visit(child)
      if (child.type !== 'text' || child.value === undefined) return [child]
      return cutAtMarks(child.value, marks).map((part, index): TreeNode => (index % 2 === 0 ? { type: 'text', value: part } : { type: 'element', tagName: 'mark', properties: { className: 'rounded-sm bg-warn-soft text-warn' }, children: [{ type: 'text', value: part }] }))
    })
  }
  return visit
}
