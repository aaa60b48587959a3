import { Fragment, useMemo, type ReactNode } from 'react'
import { Badge } from '@/ui/badge'
import { parseMarkdown, type Block, type Inline, type Item } from './markdown'

/** Resolves a link to another file of the collection. */
export type FileLink = (target: string, words: ReactNode) => ReactNode

/** Renders Markdown. It never inserts HTML and loads nothing. */
export function MarkdownView({ source, fileLink }: { source: string; fileLink: FileLink }) {
  const blocks = useMemo(() => parseMarkdown(source), [source])
  return <div className="flex max-w-3xl flex-col gap-3 leading-relaxed break-words">{renderBlocks(blocks, fileLink)}</div>
}

function renderBlocks(blocks: Block[], fileLink: FileLink): ReactNode {
  return blocks.map((block, index) => <Fragment key={index}>{renderBlock(block, fileLink)}</Fragment>)
}

const headingLooks = ['text-xl font-semibold', 'mt-2 text-lg font-semibold', 'mt-1 text-base font-semibold', 'font-semibold', 'font-semibold text-dim', 'text-[13px] font-semibold text-dim']

function renderBlock(block: Block, fileLink: FileLink): ReactNode {
  switch (block.kind) {
    case 'heading': {
      // Offset for the headings of the page and the file.
      const Heading = (['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const)[block.level - 1] ?? 'h6'
      return <Heading className={headingLooks[block.level - 1]}>{renderInline(block.content, fileLink)}</Heading>
    }
    case 'paragraph':
      return <p>{renderInline(block.content, fileLink)}</p>
    case 'code':
      return <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-relaxed">{block.text}</pre>
    case 'quote':
      return <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-dim">{renderBlocks(block.children, fileLink)}</blockquote>
    case 'list':
      return renderList(block.start, block.items, fileLink)
    case 'table':
      return renderTable(block.head, block.rows, fileLink)
    case 'rule':
      return <hr className="border-line" />
    case 'properties':
      return <Properties entries={block.entries} />
  }
}

function renderList(start: number | null, items: Item[], fileLink: FileLink): ReactNode {
  const rows = items.map(({ checked, children }, index) => (
    <li key={index} className={checked === null ? undefined : 'flex list-none gap-2'}>
      {checked !== null && <input type="checkbox" aria-label={checked ? 'Done' : 'Not done'} checked={checked} disabled readOnly className="mt-1 size-4 shrink-0 accent-(--accent)" />}
      <div className="flex min-w-0 flex-col gap-1.5">{renderBlocks(children, fileLink)}</div>
    </li>
  ))
  if (start !== null) return <ol start={start} className="flex list-decimal flex-col gap-1 pl-6">{rows}</ol>
  return <ul className="flex list-disc flex-col gap-1 pl-6">{rows}</ul>
}

function renderTable(head: Inline[][], rows: Inline[][][], fileLink: FileLink): ReactNode {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table className="border-collapse text-left text-[13px]">
        <thead>
          <tr>{head.map((cell, index) => <th key={index} scope="col" className="border border-line bg-sunken px-2.5 py-1 font-medium">{renderInline(cell, fileLink)}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{row.map((cell, column) => <td key={column} className="border border-line px-2.5 py-1 align-top">{renderInline(cell, fileLink)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The front matter, such as the name of the skill and when to use it. */
function Properties({ entries }: { entries: { name: string; value: string }[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border border-line bg-sunken px-3 py-2 text-[13px]">
      {entries.map(({ name, value }, index) => (
        <Fragment key={index}>
          <dt className="font-medium text-dim">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function renderInline(content: Inline[], fileLink: FileLink): ReactNode {
  return content.map((part, index) => <Fragment key={index}>{renderPart(part, fileLink)}</Fragment>)
}

function renderPart(part: Inline, fileLink: FileLink): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.9em]">{part.text}</code>
    case 'strong':
      return <strong className="font-semibold">{renderInline(part.children, fileLink)}</strong>
    case 'emphasis':
      return <em>{renderInline(part.children, fileLink)}</em>
    case 'struck':
      return <s>{renderInline(part.children, fileLink)}</s>
    case 'image':
      // Not loaded: it may be on any host, which would learn who reads it.
      return <Badge title={part.target}>image: {part.alt || part.target}</Badge>
    case 'link': {
      const words = renderInline(part.children, fileLink)
      if (!/^(https?:|mailto:)/i.test(part.target)) return fileLink(part.target, words)
      return <a href={part.target} target="_blank" rel="noreferrer noopener" className="text-accent-ink underline">{words}</a>
    }
  }
}
