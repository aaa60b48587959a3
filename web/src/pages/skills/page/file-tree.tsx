import { Link, useSearch } from '@tanstack/react-router'
import { ChevronRight, Ellipsis, FileCode2, FileImage, FilePlus2, FileText, Folder, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { imageType } from '../files/content'
import type { FileState } from '../files/draft'
import { buildTree, type TreeFolder, type TreeNode } from '../files/tree'
import { FileMark } from './file-state'

export interface FolderActions {
  onAdd: (folder: string) => void
  onMove: (path: string) => void
  onRemove: (path: string) => void
}

interface TreeProps {
  open: string | undefined
  states: Record<string, FileState>
  /** The actions on folders; none in read-only versions. */
  actions?: FolderActions
}

/** The files in their folders. Folders are collapsible; files are links. */
export function FileTree({ paths, ...rest }: TreeProps & { paths: string[] }) {
  return <Branch nodes={buildTree(paths)} depth={0} {...rest} />
}

function Branch({ nodes, depth, ...rest }: TreeProps & { nodes: TreeNode[]; depth: number }) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.path}>{node.kind === 'folder' ? <FolderRow folder={node} depth={depth} {...rest} /> : <FileRow path={node.path} name={node.name} depth={depth} {...rest} />}</li>
      ))}
    </ul>
  )
}

const row = 'flex h-7 w-full min-w-0 items-center gap-1.5 rounded pr-1.5 text-left text-[13px] [&_svg]:size-3.5 [&_svg]:shrink-0'
const indent = (depth: number) => ({ paddingLeft: 6 + depth * 14 })

function FolderRow({ folder, depth, actions, ...rest }: TreeProps & { folder: TreeFolder; depth: number }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <div className="group relative">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={cn(row, 'text-dim hover:bg-hover hover:text-ink', actions && 'pr-8')} style={indent(depth)}>
          <ChevronRight className={cn('text-faint transition-transform', open && 'rotate-90')} />
          <Folder className="text-faint" />
          <span className="truncate">{folder.name}</span>
        </button>
        {actions && (
          <div className="absolute top-0 right-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
            <Menu trigger={<IconButton small label={`Actions for folder ${folder.path}`}><Ellipsis /></IconButton>}>
              <MenuItem onSelect={() => actions.onAdd(folder.path)}><FilePlus2 /> New file</MenuItem>
              <MenuItem onSelect={() => actions.onMove(folder.path)}><Pencil /> Rename or move</MenuItem>
              <MenuItem danger onSelect={() => actions.onRemove(folder.path)}><Trash2 /> Delete</MenuItem>
            </Menu>
          </div>
        )}
      </div>
      {open && <Branch nodes={folder.children} depth={depth + 1} actions={actions} {...rest} />}
    </>
  )
}

function FileRow({ path, name, depth, open, states }: TreeProps & { path: string; name: string; depth: number }) {
  const search = useSearch({ from: '/$workspace/skills/$skill' })
  const state = states[path]
  return (
    <Link
      from="/$workspace/skills/$skill"
      to="."
      search={{ ...search, file: path }}
      aria-current={path === open ? 'true' : undefined}
      className={cn(row, 'hover:bg-hover', path === open && 'bg-accent-soft text-accent-ink hover:bg-accent-soft', state === 'removed' && 'text-faint line-through')}
      style={indent(depth)}
    >
      <span aria-hidden className="w-3.5 shrink-0" />
      <FileIcon path={path} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {state && <FileMark state={state} />}
    </Link>
  )
}

function FileIcon({ path }: { path: string }) {
  if (imageType(path)) return <FileImage className="text-faint" />
  return /\.(md|markdown|txt)$/i.test(path) ? <FileText className="text-faint" /> : <FileCode2 className="text-faint" />
}
