import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, Ellipsis, Pencil, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import { NameDialog } from '@/ui/name-dialog'
import { Section, useNewWindow } from './section'

type Workspace = Schemas['WorkspaceItem']
type Change = Schemas['ChangeWorkspaceRequest']

export function WorkspacesSection() {
  const session = useSession()
  const owns = useMay('OWN')
  const administers = useMay('ADMIN')
  const [creating, setCreating] = useNewWindow()
  const [renamed, setRenamed] = useState<Workspace | null>(null)
  const list = useQuery({
    queryKey: ['w', session.workspace_id, 'workspaces'],
    queryFn: async () => (await call(api.GET('/api/admin/workspaces'))).workspaces,
  })
  const { create, change } = useWorkspaceChanges()
  const actions = <Button look="primary" disabled={!owns} title={owns ? undefined : 'Only owners of the installation can create workspaces'} onClick={() => setCreating(true)}><Plus /> New workspace</Button>
  return (
    <Section id="workspaces" actions={actions}>
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className="rounded-lg border border-line bg-surface">
          <SimpleTable
            label="Workspaces"
            rows={list.data}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Workspace', cell: (row) => <NameCell row={row} current={session.workspace_id} /> },
              { header: 'Access without a role', cell: ({ roles_required }) => (roles_required ? 'read-only' : 'full, except administration'), className: 'hidden sm:table-cell text-dim' },
              { header: 'Status', cell: ({ disabled_at }) => (disabled_at ? <Badge tone="warn">disabled</Badge> : <Badge tone="good">active</Badge>) },
              { header: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, className: 'hidden md:table-cell text-dim' },
              {
                header: <span className="sr-only">Actions</span>,
                className: 'w-12 text-right',
                cell: (row) => (owns || (administers && row.id === session.workspace_id)) && (
                  <RowMenu row={row} owns={owns} onRename={() => setRenamed(row)} onChange={(body) => change.mutate({ row, body })} />
                ),
              },
            ]}
          />
        </div>
      )}
      {!owns && <p className="text-[13px] text-faint">Only workspaces you are a member of are listed. Owners of the installation see all of them.</p>}
      {creating && owns && (
        <NameDialog title="New workspace" description="A new workspace has no prompts, requests, keys or members." label="Name" action="Create" onClose={() => setCreating(false)} onSave={(name) => create.mutateAsync(name)} />
      )}
      {renamed && (
        <NameDialog title={`Rename ${renamed.name}`} label="Name" initial={renamed.name} action="Rename" onClose={() => setRenamed(null)} onSave={(name) => change.mutateAsync({ row: renamed, body: { name } })} />
      )}
    </Section>
  )
}

function NameCell({ row, current }: { row: Workspace; current: number }) {
  return (
    <span className="flex items-center gap-2">
      {/* Full page load, so that no data of one workspace remains in the pages of another. */}
      <Link to="/$workspace/requests" params={{ workspace: String(row.id) }} search={{}} reloadDocument className="truncate font-medium hover:underline">{row.name}</Link>
      {row.id === current && <Badge tone="accent">current</Badge>}
    </span>
  )
}

function RowMenu({ row, owns, onRename, onChange }: { row: Workspace; owns: boolean; onRename: () => void; onChange: (body: Change) => void }) {
  const confirm = useConfirm()
  const requireRoles = async () => {
    const ok = row.roles_required || await confirm({
      title: `Require roles in ${row.name}?`,
      body: 'Keys and members without a role get read-only access. Applications that log with such a key will be refused.',
      action: 'Require roles',
    })
    if (ok) onChange({ roles_required: !row.roles_required })
  }
  const disable = async () => {
    const ok = row.disabled_at !== null || await confirm({
      title: `Disable ${row.name}?`,
      body: 'All keys and members except owners lose access, and requests are no longer logged. No data is deleted, and you can enable the workspace again.',
      action: 'Disable',
      danger: true,
    })
    if (ok) onChange({ disabled: row.disabled_at === null })
  }
  return (
    <Menu trigger={<IconButton small label={`Actions for ${row.name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={onRename}><Pencil /> Rename</MenuItem>
      <MenuItem onSelect={() => void requireRoles()}><ShieldCheck /> {row.roles_required ? 'Stop requiring roles' : 'Require roles'}</MenuItem>
      {owns && (
        <>
          <MenuSeparator />
          <MenuItem danger={row.disabled_at === null} onSelect={() => void disable()}><Ban /> {row.disabled_at === null ? 'Disable' : 'Enable'}</MenuItem>
        </>
      )}
    </Menu>
  )
}

function useWorkspaceChanges() {
  const { workspace_id } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  // The session holds the names shown in the workspace menu.
  const refresh = () => Promise.all([['w', workspace_id, 'workspaces'], ['session']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  const create = useMutation({
    mutationFn: (name: string) => call(api.POST('/api/admin/workspaces', { body: { name } })),
    onSuccess: async (answer) => {
      toast.done(`Workspace ${answer.workspace.name} created`)
      await refresh()
    },
  })
  const change = useMutation({
    mutationFn: ({ row, body }: { row: Workspace; body: Change }) => call(api.PATCH('/api/admin/workspaces/{workspace_id}', { params: { path: { workspace_id: row.id } }, body })),
    onSuccess: async (answer, { row, body }) => {
      toast.done(said(row.name, answer.workspace.name, body))
      await refresh()
    },
    onError: (error, { body }) => {
      // The name dialog shows errors itself.
      if (body.name === undefined) toast.failed(error)
    },
  })
  return { create, change }
}

function said(before: string, name: string, body: Change): string {
  if (typeof body.name === 'string') return `${before} renamed to ${name}`
  if (typeof body.disabled === 'boolean') return body.disabled ? `${name} disabled` : `${name} enabled`
  return body.roles_required === true ? `${name} now requires roles` : `${name} no longer requires roles`
}
