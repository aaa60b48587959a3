import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, FileText, Folder as FolderIcon, MessageSquareText, Puzzle } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { labelsQuery, type Entity } from '@/template/data'
import { Badge } from '@/ui/badge'
import { IconButton } from '@/ui/button'
import { labelTone } from '@/ui/label-tone'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useFolderActions, type Item } from './actions'
import { startDrag } from './folder-tree'

/** The folders and templates in a folder. They can be dragged to other folders. */
export function PromptTable({ rows, showPath, onMove }: { rows: Entity[]; showPath: boolean; onMove: (item: Item, from: number | null) => void }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Prompts"
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={(row) =>
        void (row.type === 'FOLDER'
          ? navigate({ to: '/$workspace/prompts', params: { workspace }, search: { folder: Number(row.id) } })
          : navigate({ to: '/$workspace/prompts/$prompt', params: { workspace, prompt: String(row.id) }, search: {} }))
      }
      columns={[
        {
          header: 'Name',
          cell: (row) => (
            <>
              <NameCell row={row} workspace={workspace} showPath={showPath} />
              {row.type !== 'FOLDER' && <div className="pl-6 empty:hidden sm:hidden"><RowLabels prompt={String(row.id)} /></div>}
            </>
          ),
          className: 'w-full max-w-0',
        },
        { header: 'Labels', cell: (row) => (row.type === 'FOLDER' ? null : <RowLabels prompt={String(row.id)} />), className: 'hidden max-w-56 sm:table-cell' },
        { header: 'Version', cell: (row) => latest(row), className: 'text-right tabular text-dim' },
        { header: 'Updated', cell: (row) => <Ago at={row.updated_at} />, className: 'hidden text-right text-dim md:table-cell' },
        { header: <span className="sr-only">Actions</span>, cell: (row) => <RowMenu row={row} onMove={onMove} />, className: 'w-10 px-2' },
      ]}
    />
  )
}

function itemOf(row: Entity): Item {
  return { id: Number(row.id), name: row.name, type: row.type }
}

function latest(row: Entity): string {
  const number = row.metadata?.latest_version_number
  return typeof number === 'number' ? String(number) : ''
}

function NameCell({ row, workspace, showPath }: { row: Entity; workspace: string; showPath: boolean }) {
  const Icon = row.type === 'FOLDER' ? FolderIcon : row.type === 'SNIPPET' ? Puzzle : row.metadata?.type === 'completion' ? FileText : MessageSquareText
  const inner = (
    <>
      <Icon className="size-4 shrink-0 text-faint" />
      <span className="truncate font-medium group-hover/name:underline">{row.name}</span>
      {row.type === 'SNIPPET' && <Badge tone="info" className="max-sm:hidden">snippet</Badge>}
      {showPath && row.path.length > 0 && <span className="truncate text-xs text-faint">{row.path.join(' / ')}</span>}
    </>
  )
  const shared = { draggable: true, onDragStart: (event: React.DragEvent) => startDrag(event, itemOf(row)), className: 'group/name flex min-w-0 items-center gap-2 py-0.5' }
  if (row.type === 'FOLDER') return <Link to="/$workspace/prompts" params={{ workspace }} search={{ folder: Number(row.id) }} {...shared}>{inner}</Link>
  return <Link to="/$workspace/prompts/$prompt" params={{ workspace, prompt: String(row.id) }} search={{}} {...shared}>{inner}</Link>
}

/** The labels of a row, each with the version it points to. */
function RowLabels({ prompt }: { prompt: string }) {
  const { workspace_id: workspace } = useSession()
  const labels = useQuery(labelsQuery(workspace, prompt)).data ?? []
  if (labels.length === 0) return null
  return (
    <span className="flex gap-1 overflow-hidden">
      {labels.slice(0, 3).map((label) => (
        <Badge key={label.release_label_id} tone={labelTone(label.release_label)} title={`${label.release_label} points to version ${label.prompt_version_number}`}>
          {label.release_label} <span className="font-normal opacity-80">{label.prompt_version_number}</span>
        </Badge>
      ))}
      {labels.length > 3 && <Badge>{labels.length - 3} more</Badge>}
    </span>
  )
}

function RowMenu({ row, onMove }: { row: Entity; onMove: (item: Item, from: number | null) => void }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const mayDelete = useMay('PROMPT_DELETE')
  const { askToDelete } = useFolderActions()
  const item = itemOf(row)
  return (
    <Menu trigger={<IconButton small label={`Actions for ${row.name}`}><Ellipsis /></IconButton>}>
      {row.type !== 'FOLDER' && <MenuItem onSelect={() => void navigator.clipboard.writeText(row.name)}>Copy name</MenuItem>}
      <MenuItem onSelect={() => void navigator.clipboard.writeText(String(row.id))}>Copy ID</MenuItem>
      {mayEdit && <MenuItem onSelect={() => onMove(item, row.folder_id)}>Move…</MenuItem>}
      {mayDelete && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => void askToDelete(item)}>Delete…</MenuItem>
        </>
      )}
    </Menu>
  )
}
