import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { Button } from '@/ui/button'
import { ErrorState, Loading } from '@/ui/page'
import { cn } from '@/lib/cn'
import { permissionGroups } from './permissions'
import { RoleDialog } from './role-dialog'
import { RoleList } from './role-list'
import type { Role } from './role-words'
import { useRoles } from './roles'
import { Section, useNewWindow } from './section'

export function RolesSection() {
  const roles = useRoles()
  const administers = useMay('ADMIN')
  const [creating, setCreating] = useNewWindow()
  const [edited, setEdited] = useState<Role | null>(null)
  // Admin has all permissions that a custom role can have.
  const permissions = roles.data?.find(({ name }) => name === 'Admin')?.permissions ?? []
  const actions = <Button look="primary" disabled={!administers} title={administers ? undefined : 'Only administrators of the workspace can create roles'} onClick={() => setCreating(true)}><Plus /> New role</Button>
  return (
    <Section id="roles" actions={actions}>
      {roles.isPending && <Loading />}
      {roles.isError && <ErrorState error={roles.error} retry={() => void roles.refetch()} />}
      {roles.data && <RoleList roles={roles.data} onEdit={administers ? setEdited : null} />}
      {roles.data && <PermissionTable roles={roles.data} />}
      <p className="max-w-3xl text-[13px] text-faint">
        Keys and members without a role have full access except administration. If the workspace requires roles, they have read-only access. The Owner
        role is for keys only. To make a user an owner of the installation, go to Members.
      </p>
      {creating && administers && roles.data && <RoleDialog role={null} permissions={permissions} onClose={() => setCreating(false)} />}
      {edited && <RoleDialog role={edited} permissions={permissions} onClose={() => setEdited(null)} />}
    </Section>
  )
}

const cell = 'border-b border-line px-3 py-1.5'

function PermissionTable({ roles }: { roles: Role[] }) {
  const groups = permissionGroups(roles.flatMap(({ permissions }) => permissions))
  return (
    <div role="region" aria-label="Role permissions" tabIndex={0} className="relative overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="text-xs text-faint">
            <th scope="col" className={cn(cell, 'sticky left-0 bg-surface font-medium')}>Permission</th>
            {roles.map(({ name }) => <th key={name} scope="col" className={cn(cell, 'text-center font-medium')}>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ label, permissions }) => (
            <tr key={label}>
              <th scope="row" title={permissions.join(', ')} className={cn(cell, 'sticky left-0 min-w-48 bg-surface font-normal')}>{label}</th>
              {roles.map((role) => (
                <td key={role.name} className={cn(cell, 'text-center')}>
                  <Mark allowed={share(role.permissions, permissions)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function share(held: string[], wanted: string[]): 'all' | 'some' | 'none' {
  const count = wanted.filter((permission) => held.includes(permission)).length
  return count === wanted.length ? 'all' : count > 0 ? 'some' : 'none'
}

function Mark({ allowed }: { allowed: 'all' | 'some' | 'none' }) {
  if (allowed === 'all') return <Check role="img" aria-label="yes" className="mx-auto size-4 text-good" />
  if (allowed === 'some') return <span className="text-warn">partial</span>
  return <span className="sr-only">no</span>
}
