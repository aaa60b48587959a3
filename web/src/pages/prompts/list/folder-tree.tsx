import { Link } from '@tanstack/react-router'
import { ChevronRight, Ellipsis, Folder as FolderIcon, FolderPlus, House } from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useMay, useSession } from '@/api/session'
import type { Folder } from '@/folder/data'
import { folderPath, folderTree, isWithin, type FolderNode } from '@/folder/tree'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { dragKind, useFolderActions, type Item } from './actions'

interface TreeProps {
  folders: Folder[]
  current?: number
  onCreate: (parent?: Folder) => void
  onRename: (folder: Folder) => void
  onMove: (item: Item) => void
}

/** The folders of the workspace. Items can be dropped on them. */
export function FolderTree(props: TreeProps) {
  const { folders, current, onCreate } = props
  const mayEdit = useMay('PROMPT_EDIT')
  const [opened, setOpened] = useState<Record<number, boolean>>({})
  const around = new Set(folderPath(folders, current).map(({ id }) => id))
  return (
    <nav aria-label="Folders" className="flex flex-col gap-px p-2">
      <div className="flex items-center justify-between pb-1 pl-2">
        <h2 className="text-xs font-medium text-faint">Folders</h2>
        {mayEdit && (
          <IconButton small label="New folder" onClick={() => onCreate(folders.find(({ id }) => id === current))}>
            <FolderPlus />
          </IconButton>
        )}
      </div>
      <DropRow folders={folders} target={null}>
        <FolderLink current={current === undefined}>
          <House className="size-4 shrink-0 text-faint" /> All prompts
        </FolderLink>
      </DropRow>
      <Branch {...props} nodes={folderTree(folders)} depth={0} isOpen={(id) => opened[id] ?? around.has(id)} onToggle={(id, open) => setOpened((old) => ({ ...old, [id]: open }))} />
    </nav>
  )
}

interface BranchProps extends TreeProps {
  nodes: FolderNode[]
  depth: number
  isOpen: (id: number) => boolean
  onToggle: (id: number, open: boolean) => void
}

function Branch({ nodes, depth, ...rest }: BranchProps) {
  if (nodes.length === 0) return null
  return (
    <ul className="flex flex-col gap-px">
      {nodes.map(({ folder, children }) => {
        const open = rest.isOpen(folder.id)
        return (
          <li key={folder.id}>
            <DropRow folders={rest.folders} target={folder} onLinger={() => rest.onToggle(folder.id, true)}>
              <div className="group flex items-center" style={{ paddingLeft: `${Math.min(depth, 8) * 12}px` }}>
                <button
                  type="button"
                  aria-label={`${open ? 'Collapse' : 'Expand'} ${folder.name}`}
                  aria-expanded={open}
                  className={cn('grid size-5 shrink-0 place-items-center rounded text-faint hover:bg-hover', children.length === 0 && 'invisible')}
                  onClick={() => rest.onToggle(folder.id, !open)}
                >
                  <ChevronRight className={cn('size-3.5 transition-transform', open && 'rotate-90')} />
                </button>
                <FolderLink folder={folder} current={rest.current === folder.id}>
                  <FolderIcon className="size-4 shrink-0 text-faint" /> <span className="truncate">{folder.name}</span>
                </FolderLink>
                <FolderMenu {...rest} folder={folder} />
              </div>
            </DropRow>
            {open && <Branch {...rest} nodes={children} depth={depth + 1} />}
          </li>
        )
      })}
    </ul>
  )
}

function FolderLink({ folder, current, children }: { folder?: Folder; current: boolean; children: ReactNode }) {
  const { workspace_id: workspace } = useSession()
  return (
    <Link
      to="/$workspace/prompts"
      params={{ workspace: String(workspace) }}
      search={folder === undefined ? {} : { folder: folder.id }}
      aria-current={current ? 'page' : undefined}
      activeProps={{}}
      draggable={folder !== undefined}
      onDragStart={folder && ((event) => startDrag(event, { id: folder.id, name: folder.name, type: 'FOLDER' }))}
      className={cn('flex min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 py-1 text-dim hover:bg-hover hover:text-ink', current && 'bg-accent-soft font-medium text-accent-ink hover:bg-accent-soft')}
    >
      {children}
    </Link>
  )
}

function FolderMenu({ folder, onCreate, onRename, onMove }: Pick<TreeProps, 'onCreate' | 'onRename' | 'onMove'> & { folder: Folder }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const mayDelete = useMay('PROMPT_DELETE')
  const { askToDelete } = useFolderActions()
  const item: Item = { id: folder.id, name: folder.name, type: 'FOLDER' }
  if (!mayEdit && !mayDelete) return null
  return (
    <Menu
      trigger={
        <IconButton small label={`Actions for ${folder.name}`} className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-100">
          <Ellipsis />
        </IconButton>
      }
    >
      {mayEdit && (
        <>
          <MenuItem onSelect={() => onCreate(folder)}>New subfolder</MenuItem>
          <MenuItem onSelect={() => onRename(folder)}>Rename</MenuItem>
          <MenuItem onSelect={() => onMove(item)}>Move…</MenuItem>
        </>
      )}
      {mayDelete && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => void askToDelete(item)}>Delete…</MenuItem>
        </>
      )}
    </Menu>
  )
}

/** A row that accepts dropped items. Hovering over a collapsed folder expands it. */
function DropRow({ folders, target, onLinger, children }: { folders: Folder[]; target: Folder | null; onLinger?: () => void; children: ReactNode }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const { move } = useFolderActions()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    setOver(false)
    const item = readDrag(event)
    if (item === null) return
    event.preventDefault()
    if (item.type === 'FOLDER' && target !== null && isWithin(folders, target.id, item.id)) return
    move.mutate({ item, folder: target })
  }
  return (
    <div
      onDragOver={(event) => {
        if (!mayEdit || !event.dataTransfer.types.includes(dragKind)) return
        event.preventDefault()
        if (!over) {
          setOver(true)
          if (onLinger) setTimeout(onLinger, 600)
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn('rounded-md', over && 'outline-2 outline-accent')}
    >
      {children}
    </div>
  )
}

export function startDrag(event: DragEvent, item: Item): void {
  event.dataTransfer.setData(dragKind, JSON.stringify(item))
  event.dataTransfer.effectAllowed = 'move'
}

function readDrag(event: DragEvent): Item | null {
  const text = event.dataTransfer.getData(dragKind)
  return text === '' ? null : (JSON.parse(text) as Item)
}
