import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { ErrorState, Loading } from '@/ui/page'
import { cn } from '@/lib/cn'
import { permissionGroups } from './permissions'
import { rolePurpose, rolesQuery } from './roles'
import { Section } from './section'

export function RolesSection() {
  const roles = useQuery(rolesQuery)
  return (
    <Section id="roles">
      {roles.isPending && <Loading />}
      {roles.isError && <ErrorState error={roles.error} retry={() => void roles.refetch()} />}
      {roles.data && <RoleList roles={roles.data} />}
      {roles.data && <PermissionTable roles={roles.data} />}
      <p className="max-w-3xl text-[13px] text-faint">
        Keys and members without a role have full access except administration. If the workspace requires roles, they have read-only access. The Owner
        role is for keys only. To make a user an owner of the installation, go to Members.
      </p>
    </Section>
  )
}

interface RoleItem {
  name: string
  permissions: string[]
}

function RoleList({ roles }: { roles: RoleItem[] }) {
  return (
    <dl className="grid max-w-3xl grid-cols-[7rem_1fr] gap-y-1.5 rounded-lg border border-line bg-surface p-4">
      {roles.map(({ name }) => (
        <div key={name} className="contents">
          <dt className="font-medium">{name}</dt>
          <dd className="text-dim">{rolePurpose(name)}</dd>
        </div>
      ))}
    </dl>
  )
}

const cell = 'border-b border-line px-3 py-1.5'

function PermissionTable({ roles }: { roles: RoleItem[] }) {
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
          <tr>
            <th scope="row" className={cn(cell, 'sticky left-0 bg-surface font-normal')}>Read</th>
            {roles.map(({ name }) => <td key={name} className={cn(cell, 'text-center')}><Mark allowed="all" /></td>)}
          </tr>
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
