import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { linkOf, type Member, type SignInLink, useChangeMember, useRefreshMembers } from './member-actions'
import { RolePicker, useNoRole } from './role-picker'

/** Invites a member. If they have no account, `onLink` receives a sign-in link. */
export function InviteDialog({ onClose, onLink }: { onClose: () => void; onLink: (link: SignInLink) => void }) {
  const toast = useToast()
  const noRole = useNoRole()
  const refresh = useRefreshMembers()
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState(['Editor'])
  const invite = useMutation({
    mutationFn: () => call(api.POST('/api/admin/users', { body: { email: email.trim(), roles } })),
    onSuccess: async (answer) => {
      onClose()
      if (answer.sign_in_path) onLink(linkOf(answer.user.email, answer.sign_in_path))
      else toast.done(`${answer.user.email} is now a member.`)
      await refresh()
    },
  })
  return (
    <FormDialog
      title="Invite member"
      description="If they have no account yet, you get a sign-in link to send them."
      action="Invite"
      busy={invite.isPending}
      ready={email.trim() !== ''}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <Field label="Email" error={invite.error?.message}>
        {(control) => <Input {...control} type="email" autoFocus required maxLength={254} placeholder="ada@example.com" value={email} onChange={(event) => { setEmail(event.target.value); invite.reset() }} />}
      </Field>
      <RolePicker legend="Roles in this workspace" holders="members" value={roles} onChange={setRoles} none={noRole} />
    </FormDialog>
  )
}

export function MemberRolesDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const toast = useToast()
  const noRole = useNoRole()
  const change = useChangeMember()
  const [roles, setRoles] = useState(member.roles)
  const save = () => change.mutate({ id: member.id, body: { roles } }, {
    onSuccess: () => {
      toast.done(`Roles of ${member.email} updated`)
      onClose()
    },
    onError: toast.failed,
  })
  return (
    <FormDialog
      title={`Roles of ${member.email}`}
      description={member.owner ? 'As an owner, they have all permissions regardless of their roles.' : undefined}
      action="Save"
      busy={change.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <RolePicker legend="Roles in this workspace" holders="members" value={roles} onChange={setRoles} none={noRole} />
    </FormDialog>
  )
}
