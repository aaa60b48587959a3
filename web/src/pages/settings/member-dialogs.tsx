import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
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
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Dialog
      open
      title="Invite member"
      description="If they have no account yet, you get a sign-in link to send them."
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="invite-form" look="primary" busy={invite.isPending} disabled={email.trim() === ''}>Invite</Button>
        </>
      }
    >
      <form id="invite-form" onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Email" error={invite.error?.message}>
          {(control) => <Input {...control} type="email" autoFocus required maxLength={254} placeholder="ada@example.com" value={email} onChange={(event) => { setEmail(event.target.value); invite.reset() }} />}
        </Field>
        <RolePicker legend="Roles in this workspace" holders="members" value={roles} onChange={setRoles} none={noRole} />
      </form>
    </Dialog>
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
    <Dialog
      open
      title={`Roles of ${member.email}`}
      description={member.owner ? 'As an owner, they have all permissions regardless of their roles.' : undefined}
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={change.isPending} onClick={save}>Save</Button>
        </>
      }
    >
      <RolePicker legend="Roles in this workspace" holders="members" value={roles} onChange={setRoles} none={noRole} />
    </Dialog>
  )
}
