import { Link } from '@tanstack/react-router'
import { Code2, Download, Ellipsis, Eye, FileUp, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { download } from '@/lib/download'
import { bytes } from '@/lib/format'
import { Button, IconButton } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { CopyButton } from '@/ui/copy'
import { languageOf } from '@/ui/file-language'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { bytesOfContent, imageType, isBytes } from '../files/content'
import type { FileState } from '../files/draft'
import { MarkdownView, type FileLink } from '../files/markdown-view'
import { resolveLink } from '../files/resolve'
import { FileMark } from './file-state'

export interface FileActions {
  onChange: (content: string) => void
  onMove: () => void
  onReplace: () => void
  onRemove: () => void
  onRevert: () => void
}

interface FileViewProps {
  path: string
  content: string
  state?: FileState
  /** The paths of all files, for links between them. */
  paths: string[]
  /** The actions on the file; none in read-only versions. */
  actions?: FileActions
}

type Mode = 'read' | 'source' | 'edit'

/** One file: rendered, as source, or in the editor. */
export function FileView({ path, content, state, paths, actions }: FileViewProps) {
  const image = imageType(path)
  const binary = isBytes(content)
  const readable = !binary && (languageOf(path) === 'markdown' || image !== null)
  const [chosen, setChosen] = useState<Mode>('read')
  const mode: Mode = chosen === 'edit' && (actions === undefined || binary) ? 'read' : chosen === 'read' && !readable ? 'source' : chosen
  return (
    <section aria-label={path} className="flex h-full min-w-0 flex-col">
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-1">
        <h2 className="min-w-0 truncate font-mono text-[13px]">{path}</h2>
        {state && <FileMark state={state} />}
        <span className="tabular text-xs whitespace-nowrap text-faint">{bytes(bytesOfContent(content).length)}</span>
        <div className="ml-auto flex items-center gap-1">
          {readable && mode !== 'edit' && (
            <Button small look="quiet" onClick={() => setChosen(mode === 'read' ? 'source' : 'read')}>{mode === 'read' ? <><Code2 /> Source</> : <><Eye /> Preview</>}</Button>
          )}
          {actions && !binary && (mode === 'edit' ? <Button small onClick={() => setChosen('read')}><Eye /> Done</Button> : <Button small onClick={() => setChosen('edit')}><Pencil /> Edit</Button>)}
          {!binary && <CopyButton text={content} label="Copy content" />}
          <FileMenu path={path} content={content} state={state} actions={actions} />
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={mode === 'read' ? 0 : undefined} role="group" aria-label={`Content of ${path}`}>
        <Content path={path} content={content} mode={mode} paths={paths} onChange={actions?.onChange} />
      </div>
    </section>
  )
}

function Content({ path, content, mode, paths, onChange }: { path: string; content: string; mode: Mode; paths: string[]; onChange?: (content: string) => void }) {
  const image = imageType(path)
  if (mode === 'read' && image !== null) return <ImageView path={path} content={content} type={image} />
  if (isBytes(content)) return image === null ? <BinaryView path={path} content={content} /> : <ImageView path={path} content={content} type={image} />
  if (mode === 'read') return <div className="p-4 md:p-6"><MarkdownView source={content} fileLink={linker(path, paths)} /></div>
  return (
    <CodeEditor
      // Each file is a separate document with its own undo history.
      key={path}
      label={`Content of ${path}`}
      className="min-h-full rounded-none border-0"
      language={languageOf(path)}
      lines
      readOnly={mode !== 'edit'}
      focused={mode === 'edit'}
      value={content}
      onChange={onChange}
    />
  )
}

/** Links to existing files open them; others show their target. */
function linker(from: string, paths: string[]): FileLink {
  return function link(target: string, words: ReactNode) {
    const path = resolveLink(from, target)
    if (!paths.includes(path)) return <span title={target} className="underline decoration-dotted">{words}</span>
    return <Link from="/$workspace/skills/$skill" to="." search={(old) => ({ ...old, file: path })} className="text-accent-ink underline">{words}</Link>
  }
}

function FileMenu({ path, content, state, actions }: Pick<FileViewProps, 'path' | 'content' | 'state' | 'actions'>) {
  return (
    <Menu trigger={<IconButton small label={`Actions for ${path}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={() => downloadFile(path, content)}><Download /> Download</MenuItem>
      {actions && (
        <>
          <MenuItem onSelect={actions.onMove}><Pencil /> Rename or move</MenuItem>
          <MenuItem onSelect={actions.onReplace}><FileUp /> Replace with file</MenuItem>
          {state && <MenuItem onSelect={actions.onRevert}><Undo2 /> Revert changes</MenuItem>}
          <MenuSeparator />
          <MenuItem danger onSelect={actions.onRemove}><Trash2 /> Delete</MenuItem>
        </>
      )}
    </Menu>
  )
}

function downloadFile(path: string, content: string) {
  download(path.slice(path.lastIndexOf('/') + 1), new Blob([bytesOfContent(content)]))
}

/** Shown from memory as an image, so that it runs no scripts and makes no requests. */
function ImageView({ path, content, type }: { path: string; content: string; type: string }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytesOfContent(content)], { type }))
    // The object URL must be revoked, so it is created here.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content, type])
  return <div className="grid min-h-60 place-items-center bg-sunken p-6">{address !== null && <img src={address} alt={path} className="max-h-[70dvh] max-w-full rounded border border-line bg-surface" />}</div>
}

function BinaryView({ path, content }: { path: string; content: string }) {
  return (
    <div className="flex flex-col items-center gap-3 p-12 text-center text-dim">
      <p>Binary file ({bytes(bytesOfContent(content).length)}). No preview available.</p>
      <Button onClick={() => downloadFile(path, content)}><Download /> Download</Button>
    </div>
  )
}
