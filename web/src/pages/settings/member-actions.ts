import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import type { Role } from './roles'

export type Member = Schemas['UserItem']

export interface SignInLink {
  email: string
  address: string
}

/** The whole address of a sign-in link, to be handed over. */
export function linkOf(email: string, path: string): SignInLink {
  return { email, address: window.location.origin + path }
}

/** Loads the members again, and the session, which says what the person themselves may do. */
export function useRefreshMembers(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([['w', workspace_id, 'members'], ['session']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}

export function useChangeMember() {
  const refresh = useRefreshMembers()
  return useMutation({
    mutationFn: ({ id, body }: { id: number; body: { roles?: Role[]; owner?: boolean } }) => call(api.PATCH('/api/admin/users/{user_id}', { params: { path: { user_id: id } }, body })),
    onSuccess: refresh,
  })
}

/** What can be done to a member from the menu. Each asks first and says what was done. */
export function useMemberActions() {
  const session = useSession()
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefreshMembers()
  const change = useChangeMember()
  const workspace = session.workspaces.find(({ id }) => id === session.workspace_id)?.name ?? 'the workspace'

  const attempt = async (action: () => Promise<void>) => {
    try {
      await action()
    } catch (error) {
      toast.failed(error)
    }
  }
  const newLink = (member: Member, onLink: (link: SignInLink) => void) => attempt(async () => {
    const ok = await confirm({
      title: `Make a sign-in link for ${member.email}?`,
      body: 'A link that was made earlier stops working. Whoever opens the new one can set another password for the account.',
      action: 'Make a link',
    })
    if (!ok) return
    const answer = await call(api.POST('/api/admin/users/{user_id}/sign-in-link', { params: { path: { user_id: member.id } } }))
    onLink(linkOf(member.email, answer.sign_in_path))
  })
  const setOwner = (member: Member) => attempt(async () => {
    const ok = await confirm(member.owner
      ? { title: `Take owner rights from ${member.email}?`, body: 'They keep their roles in the workspaces that they are a member of, and lose all others.', action: 'Remove as owner', danger: true }
      : { title: `Make ${member.email} an owner?`, body: 'Owners may do everything in every workspace, also make and disable workspaces and other owners.', action: 'Make an owner' })
    if (!ok) return
    await change.mutateAsync({ id: member.id, body: { owner: !member.owner } })
    toast.done(member.owner ? `${member.email} is no longer an owner.` : `${member.email} is an owner now.`)
  })
  const remove = (member: Member) => attempt(async () => {
    const ok = await confirm({
      title: `Remove ${member.email} from ${workspace}?`,
      body: member.owner
        ? 'They stay an owner of the installation and get in all the same. Their roles here are lost.'
        : 'They do not get into this workspace any more, and their roles here are lost. The account stays, and so does what they made.',
      action: 'Remove',
      danger: true,
    })
    if (!ok) return
    await call(api.DELETE('/api/admin/users/{user_id}', { params: { path: { user_id: member.id } } }))
    toast.done(`${member.email} was removed from ${workspace}.`)
    await refresh()
  })
  return { newLink, setOwner, remove }
}
