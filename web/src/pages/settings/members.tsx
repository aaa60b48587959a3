import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Link2, UserMinus, UserPlus, Crown } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { InviteDialog, MemberRolesDialog } from './member-dialogs'
import { type Member, type SignInLink, useMemberActions } from './member-actions'
import { ShownOnce } from './once'
import { RoleBadges } from './role-picker'
import { NotAllowed, Section, useNewWindow } from './section'

export function MembersSection() {
  const administers = useMay('ADMIN')
  const [inviting, setInviting] = useNewWindow()
  if (!administers) {
    return <Section id="members"><NotAllowed permission="ADMIN">Only administrators of the workspace can manage its members.</NotAllowed></Section>
  }
  return (
    <Section id="members" actions={<Button look="primary" onClick={() => setInviting(true)}><UserPlus /> Invite</Button>}>
      <Members inviting={inviting} onInvited={() => setInviting(false)} />
    </Section>
  )
}

function Members({ inviting, onInvited }: { inviting: boolean; onInvited: () => void }) {
  const session = useSession()
  const [changed, setChanged] = useState<Member | null>(null)
  const [link, setLink] = useState<SignInLink | null>(null)
  const list = useQuery({
    queryKey: ['w', session.workspace_id, 'members'],
    queryFn: async () => (await call(api.GET('/api/admin/users'))).users,
  })
  return (
    <>
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className="rounded-lg border border-line bg-surface">
          <SimpleTable
            label="Members"
            rows={list.data}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Member', cell: (member) => <Person member={member} self={member.id === session.user?.id} />, className: 'max-sm:max-w-48 max-sm:pr-1' },
              { header: 'Roles', cell: ({ roles }) => <RoleBadges roles={roles} />, className: 'whitespace-normal max-sm:px-2' },
              { header: 'Last sign-in', cell: LastSignIn, className: 'hidden sm:table-cell text-dim' },
              { header: 'Joined', cell: ({ joined_at }) => <Ago at={joined_at} />, className: 'hidden lg:table-cell text-dim' },
              { header: <span className="sr-only">Actions</span>, className: 'w-12 text-right max-sm:px-1', cell: (member) => <MemberMenu member={member} onRoles={() => setChanged(member)} onLink={setLink} /> },
            ]}
          />
        </div>
      )}
      {list.data?.length === 1 && <p className="text-[13px] text-faint">You are the only member. Invite others: you get a one-time sign-in link to send them.</p>}
      {inviting && <InviteDialog onClose={onInvited} onLink={setLink} />}
      {changed && <MemberRolesDialog member={changed} onClose={() => setChanged(null)} />}
      {link && (
        <ShownOnce title={`Sign-in link for ${link.email}`} noun="link" secret={link.address} onClose={() => setLink(null)}>
          <p className="text-dim">
            Send this link yourself: no email is sent. It works once and expires after seven days. Anyone who opens it can set the password of the account.
          </p>
        </ShownOnce>
      )}
    </>
  )
}

function Person({ member, self }: { member: Member; self: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="truncate font-medium" title={member.email}>{member.email}</span>
      {self && <Badge>you</Badge>}
      {member.owner && <Badge tone="accent" title="Has all permissions in every workspace">owner</Badge>}
    </span>
  )
}

function LastSignIn({ last_sign_in_at, has_password }: Member) {
  if (last_sign_in_at) return <Ago at={last_sign_in_at} />
  return <span className="text-faint">{has_password ? 'never' : 'not yet'}</span>
}

function MemberMenu({ member, onRoles, onLink }: { member: Member; onRoles: () => void; onLink: (link: SignInLink) => void }) {
  const owns = useMay('OWN')
  const actions = useMemberActions()
  return (
    <Menu trigger={<IconButton small label={`Actions for ${member.email}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={onRoles}><KeyRound /> Change roles</MenuItem>
      {owns && (
        <>
          <MenuItem onSelect={() => void actions.newLink(member, onLink)}><Link2 /> New sign-in link</MenuItem>
          <MenuItem onSelect={() => void actions.setOwner(member)}><Crown /> {member.owner ? 'Remove as owner' : 'Make owner'}</MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem danger onSelect={() => void actions.remove(member)}><UserMinus /> Remove from workspace</MenuItem>
    </Menu>
  )
}
