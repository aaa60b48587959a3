import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

export type Member = Schemas['UserItem']

export interface SignInLink {
  email: string
  address: string
}

/** The full URL of a sign-in link. */
export function linkOf(email: string, path: string): SignInLink {
  return { email, address: window.location.origin + path }
}

/** Reloads the members, and the session with the user's own permissions. */
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
    mutationFn: ({ id, body }: { id: number; body: { roles?: string[]; owner?: boolean } }) => call(api.PATCH('/api/admin/users/{user_id}', { params: { path: { user_id: id } }, body })),
    onSuccess: refresh,
  })
}

/** The actions on a member. Each asks for confirmation and shows the result. */
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
      title: `Create a sign-in link for ${member.email}?`,
      body: 'Earlier links stop working. Anyone with the new link can set a new password for the account.',
      action: 'Create link',
    })
    if (!ok) return
    const answer = await call(api.POST('/api/admin/users/{user_id}/sign-in-link', { params: { path: { user_id: member.id } } }))
    onLink(linkOf(member.email, answer.sign_in_path))
  })
  const setOwner = (member: Member) => attempt(async () => {
    const ok = await confirm(member.owner
      ? { title: `Remove ${member.email} as owner?`, body: 'They keep their roles in the workspaces they are a member of, and lose access to all others.', action: 'Remove as owner', danger: true }
      : { title: `Make ${member.email} an owner?`, body: 'Owners can do everything in every workspace. They can also manage workspaces and other owners.', action: 'Make owner' })
    if (!ok) return
    await change.mutateAsync({ id: member.id, body: { owner: !member.owner } })
    toast.done(member.owner ? `${member.email} is no longer an owner.` : `${member.email} is now an owner.`)
  })
  const remove = (member: Member) => attempt(async () => {
    const ok = await confirm({
      title: `Remove ${member.email} from ${workspace}?`,
      body: member.owner
        ? 'They lose their roles here, but as an owner of the installation they keep access.'
        : 'They lose access to this workspace and their roles in it. Their account and everything they created are kept.',
      action: 'Remove',
      danger: true,
    })
    if (!ok) return
    await call(api.DELETE('/api/admin/users/{user_id}', { params: { path: { user_id: member.id } } }))
    toast.done(`${member.email} removed from ${workspace}`)
    await refresh()
  })
  return { newLink, setOwner, remove }
}
