import { useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Checkbox } from '@/ui/field'
import { ErrorState, Loading } from '@/ui/page'
import { rolePurpose, rolesFor, type Role } from './role-words'
import { useRoles } from './roles'

/** Selects roles of the workspace. Users cannot grant roles with more permissions than their own. */
export function RolePicker({ legend, holders, value, onChange, none }: {
  legend: string
  /** Who gets the roles. */
  holders: 'members' | 'keys'
  /** The names of the selected roles. */
  value: string[]
  onChange: (roles: string[]) => void
  /** What it means to select none. */
  none: string
}) {
  const roles = useRoles()
  const mayGive = useMayGive()
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-[13px] font-medium text-dim">{legend}</legend>
      {roles.isPending && <Loading />}
      {roles.isError && <ErrorState error={roles.error} retry={() => void roles.refetch()} />}
      <div className="rounded-md border border-line">
        {rolesFor(holders, roles.data ?? []).map((role) => (
          <label
            key={role.name}
            title={mayGive(role) ? undefined : 'This role has permissions that you do not have'}
            className="flex items-start gap-2.5 border-b border-line px-3 py-1.5 last:border-0 hover:bg-hover has-disabled:opacity-60"
          >
            <Checkbox
              className="mt-0.5"
              checked={value.includes(role.name)}
              disabled={!mayGive(role) && !value.includes(role.name)}
              onChange={(event) => onChange(event.target.checked ? [...value, role.name] : value.filter((one) => one !== role.name))}
            />
            <span className="w-24 shrink-0 font-medium break-words">{role.name}</span>
            <span className="text-[13px] text-dim">{rolePurpose(role.name)}</span>
          </label>
        ))}
      </div>
      {value.length === 0 && <p className="text-[13px] text-faint">{none}</p>}
    </fieldset>
  )
}

/** Returns whether the user has all permissions of a role. */
function useMayGive(): (role: Role) => boolean {
  const session = useSession()
  return ({ permissions }) => session.user?.owner === true || permissions.every((permission) => session.permissions.includes(permission))
}

/** What having no role means, which depends on the workspace. */
export function useNoRole(): string {
  const session = useSession()
  const required = session.workspaces.find(({ id }) => id === session.workspace_id)?.roles_required
  return required === true ? 'No role selected: read-only access, because this workspace requires roles.' : 'No role selected: full access except administration.'
}

export function RoleBadges({ roles }: { roles: string[] }) {
  const noRole = useNoRole()
  if (roles.length === 0) return <span className="text-faint" title={noRole}>no role</span>
  return (
    <span className="flex flex-wrap gap-1">
      {roles.map((role) => <Badge key={role} tone={role === 'Admin' || role === 'Owner' ? 'accent' : 'neutral'} title={rolePurpose(role)}>{role}</Badge>)}
    </span>
  )
}
