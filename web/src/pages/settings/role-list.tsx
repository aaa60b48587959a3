import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { api, call } from '@/api/client'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem } from '@/ui/menu'
import { SimpleTable } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { permissionGroups } from './permissions'
import { rolePurpose, type Role } from './role-words'
import { useRefreshRoles } from './roles'

/** The roles of the workspace. Custom roles can be changed and deleted by administrators. */
export function RoleList({ roles, onEdit }: { roles: Role[]; onEdit: ((role: Role) => void) | null }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <SimpleTable
        label="Roles"
        rows={roles}
        rowKey={({ name }) => name}
        columns={[
          { header: 'Role', cell: ({ name }) => <span className="font-medium break-words">{name}</span>, className: 'whitespace-normal' },
          { header: 'Allows', cell: (role) => <span className="text-dim">{role.id === null ? rolePurpose(role.name) : summary(role)}</span>, className: 'whitespace-normal' },
          { header: <span className="sr-only">Actions</span>, className: 'w-12 text-right', cell: (role) => onEdit && role.id !== null && <RoleMenu id={role.id} name={role.name} onEdit={() => onEdit(role)} /> },
        ]}
      />
    </div>
  )
}

function summary({ permissions }: Role): string {
  return permissionGroups(permissions).map(({ label, permissions: few }) => (few.length === 1 ? few[0] : label)).join(', ')
}

function RoleMenu({ id, name, onEdit }: { id: number; name: string; onEdit: () => void }) {
  const remove = useDeleteRole()
  return (
    <Menu trigger={<IconButton small label={`Actions for role ${name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={onEdit}><Pencil /> Edit</MenuItem>
      <MenuItem danger onSelect={() => void remove(id, name)}><Trash2 /> Delete</MenuItem>
    </Menu>
  )
}

/** Returns a function that deletes a role after confirmation. */
function useDeleteRole(): (id: number, name: string) => Promise<void> {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefreshRoles()
  return async (id, name) => {
    const ok = await confirm({ title: `Delete role ${name}?`, body: 'A role that a member or an active key has cannot be deleted.', action: 'Delete', danger: true })
    if (!ok) return
    try {
      await call(api.DELETE('/api/admin/roles/{role_id}', { params: { path: { role_id: id } } }))
      toast.done(`Role ${name} deleted`)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
}
