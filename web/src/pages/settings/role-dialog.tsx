import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Checkbox, Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { permissionAreas } from './permissions'
import type { Role } from './role-words'
import { useRefreshRoles } from './roles'

/** Creates a custom role, or changes the permissions of one. Its name cannot be changed. */
export function RoleDialog({ role, permissions, onClose }: {
  /** The role to change, null for a new one. */
  role: Role | null
  /** All permissions that a role can have. */
  permissions: string[]
  onClose: () => void
}) {
  const [name, setName] = useState(role?.name ?? '')
  const [chosen, setChosen] = useState(role?.permissions ?? ['READ'])
  const save = useSaveRole(role?.id ?? null, onClose)
  const choose = (next: string[]) => {
    setChosen(next)
    save.reset()
  }
  return (
    <FormDialog
      title={role ? `Edit role ${role.name}` : 'New role'}
      description={role ? 'The change applies to all members and keys with this role.' : 'Members and API keys of this workspace can have it like a built-in role.'}
      action={role ? 'Save' : 'Create'}
      busy={save.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => save.mutate({ name: name.trim(), permissions: chosen })}
      onClose={onClose}
    >
      <Field label="Name" hint={role ? 'The name cannot be changed.' : undefined} error={save.error?.message}>
        {(control) => <Input {...control} autoFocus={!role} disabled={role !== null} required maxLength={64} placeholder="Prompt author" value={name} onChange={(event) => { setName(event.target.value); save.reset() }} />}
      </Field>
      {permissionAreas(permissions).map((area) => (
        <fieldset key={area.label}>
          <legend className="mb-1 text-[13px] font-medium text-dim">{area.label}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {area.permissions.map((permission) => <PermissionBox key={permission.name} {...permission} chosen={chosen} onChange={choose} />)}
          </div>
        </fieldset>
      ))}
    </FormDialog>
  )
}

/** A permission to choose. Users cannot give permissions that they do not have, and every role can read. */
function PermissionBox({ name, label, chosen, onChange }: { name: string; label: string; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const session = useSession()
  const held = session.user?.owner === true || session.permissions.includes(name)
  const hint = name === 'READ' ? 'Every custom role can read' : held ? name : 'You do not have this permission'
  return (
    <label title={hint} className="flex items-center gap-2 has-disabled:opacity-60">
      <Checkbox
        checked={chosen.includes(name)}
        disabled={name === 'READ' || !held}
        onChange={(event) => onChange(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
      />
      {label}
    </label>
  )
}

function useSaveRole(id: number | null, onSaved: () => void) {
  const toast = useToast()
  const refresh = useRefreshRoles()
  return useMutation({
    mutationFn: ({ name, permissions }: { name: string; permissions: string[] }) =>
      id === null ? call(api.POST('/api/admin/roles', { body: { name, permissions } })) : call(api.PATCH('/api/admin/roles/{role_id}', { params: { path: { role_id: id } }, body: { permissions } })),
    onSuccess: async ({ role }) => {
      onSaved()
      toast.done(id === null ? `Role ${role.name} created` : `Role ${role.name} updated`)
      await refresh()
    },
  })
}
