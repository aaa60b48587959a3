import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Database, Ellipsis } from 'lucide-react'
import { useMay, useSession } from '@/api/session'
import { isDraft, rowCountQuery, versionsQuery, type Dataset, type Group } from '@/dataset/data'
import { count } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useDeleteGroup } from '../actions'

/** A page of groups, each with the figures of its latest version. */
export function GroupTable({ groups }: { groups: Group[] }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Datasets"
      rows={groups}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/$workspace/datasets/$group', params: { workspace, group: String(id) }, search: {} })}
      columns={[
        { header: 'Name', cell: (group) => <Name group={group} workspace={workspace} />, className: 'w-full max-w-0' },
        { header: 'Version', cell: (group) => <Versions group={Number(group.id)} />, className: 'whitespace-nowrap' },
        { header: 'Rows', cell: (group) => <Latest group={Number(group.id)}>{(latest) => <RowCount dataset={latest.id} />}</Latest>, className: 'text-right tabular' },
        { header: 'Columns', cell: (group) => <Latest group={Number(group.id)}>{(latest) => count(latest.column_names.length)}</Latest>, className: 'hidden text-right tabular text-dim md:table-cell' },
        { header: 'Created by', cell: ({ created_by_email }) => created_by_email, className: 'hidden max-w-44 text-dim lg:table-cell' },
        { header: 'Updated', cell: ({ updated_at }) => <Ago at={updated_at} />, className: 'hidden text-right text-dim sm:table-cell' },
        { header: <span className="sr-only">Actions</span>, cell: (group) => <GroupMenu group={group} />, className: 'w-10 px-2' },
      ]}
    />
  )
}

function Name({ group, workspace }: { group: Group; workspace: string }) {
  return (
    <Link to="/$workspace/datasets/$group" params={{ workspace, group: String(group.id) }} search={{}} className="group/name flex min-w-0 items-center gap-2 py-0.5">
      <Database className="size-4 shrink-0 text-faint" />
      <span className="truncate font-medium group-hover/name:underline">{group.name}</span>
      {group.path.length > 0 && <span className="truncate text-xs text-faint max-sm:hidden">{group.path.join(' / ')}</span>}
    </Link>
  )
}

function Versions({ group }: { group: number }) {
  const { workspace_id: workspace } = useSession()
  const versions = useQuery(versionsQuery(workspace, group)).data
  if (versions === undefined) return <span className="text-faint">…</span>
  const latest = versions.find((version) => !isDraft(version))
  return (
    <span className="flex items-center gap-1.5">
      {latest && <span className="tabular">{latest.version_number}</span>}
      {versions.some(isDraft) && <Badge tone="warn">draft</Badge>}
    </span>
  )
}

/** Renders the latest numbered version, or the draft if there is no other. */
function Latest({ group, children }: { group: number; children: (latest: Dataset) => React.ReactNode }) {
  const { workspace_id: workspace } = useSession()
  const versions = useQuery(versionsQuery(workspace, group)).data ?? []
  const latest = versions.find((version) => !isDraft(version)) ?? versions[0]
  return latest ? children(latest) : null
}

function RowCount({ dataset }: { dataset: number }) {
  const { workspace_id: workspace } = useSession()
  const rows = useQuery(rowCountQuery(workspace, dataset)).data
  return rows === undefined ? <span className="text-faint">…</span> : count(rows)
}

function GroupMenu({ group }: { group: Group }) {
  const mayDelete = useMay('DATASET_DELETE')
  const askToDelete = useDeleteGroup()
  return (
    <Menu trigger={<IconButton small label={`Actions for ${group.name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={() => void navigator.clipboard.writeText(String(group.id))}>Copy ID</MenuItem>
      {mayDelete && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => void askToDelete({ id: Number(group.id), name: group.name })}>Delete…</MenuItem>
        </>
      )}
    </Menu>
  )
}
