import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Card } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { RoleBadges } from './role-picker'
import { Section } from './section'

export function AccountSection() {
  const session = useSession()
  const user = session.user
  if (!user) return <Section id="account"><p>You are not signed in.</p></Section>
  return (
    <Section id="account">
      <Card title="Profile" className="max-w-3xl">
        <dl className="grid grid-cols-[7rem_1fr] gap-y-2">
          <dt className="text-faint">Email</dt>
          <dd className="break-all">{user.email}</dd>
          <dt className="text-faint">Account type</dt>
          <dd>{user.owner ? <Badge tone="accent">Installation owner</Badge> : 'Member'}</dd>
        </dl>
      </Card>
      <PasswordCard hasPassword={user.has_password} />
      <Card title="Your workspaces" className="max-w-3xl">
        <div className="-mx-4 -mb-4">
          <SimpleTable
            label="Your workspaces"
            rows={session.workspaces}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Workspace', cell: ({ id, name }) => <Link to="/$workspace/requests" params={{ workspace: String(id) }} search={{}} reloadDocument className="font-medium hover:underline">{name}</Link> },
              { header: 'Roles', cell: ({ roles }) => (user.owner ? <Badge tone="accent">Owner</Badge> : <RoleBadges roles={roles} />) },
            ]}
          />
        </div>
        <p className="mt-6 text-[13px] text-faint">
          <Link to="/$workspace/settings/$section" params={{ workspace: String(session.workspace_id), section: 'roles' }} search={{}} className="text-accent-ink underline">What each role allows</Link>
        </p>
      </Card>
    </Section>
  )
}

const shortest = 10

function PasswordCard({ hasPassword }: { hasPassword: boolean }) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const save = useMutation({
    mutationFn: () => call(api.PUT('/api/admin/session/password', { body: { password, ...(hasPassword ? { current_password: current } : {}) } })),
    onSuccess: async () => {
      setCurrent('')
      setPassword('')
      setAgain('')
      toast.done(hasPassword ? 'Password changed. Your other sessions were signed out.' : 'Password set.')
      await queryClient.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const tooShort = password !== '' && password.length < shortest
  const differs = again !== '' && again !== password
  const ready = password.length >= shortest && again === password && (!hasPassword || current !== '')
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (ready) save.mutate()
  }
  return (
    <Card title={hasPassword ? 'Change password' : 'Set password'} className="max-w-3xl">
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-3">
        <p className="text-dim">
          {hasPassword ? 'Changing your password signs you out in all other browsers.' : 'You signed in with a one-time link. Set a password to sign in again later.'}
        </p>
        {hasPassword && (
          <Field label="Current password" error={save.error?.message}>
            {(control) => <Input {...control} type="password" autoComplete="current-password" value={current} onChange={(event) => { setCurrent(event.target.value); save.reset() }} />}
          </Field>
        )}
        <Field label="New password" hint={`At least ${shortest} characters`} error={tooShort ? `At least ${shortest} characters` : hasPassword ? null : save.error?.message}>
          {(control) => <Input {...control} type="password" autoComplete="new-password" value={password} onChange={(event) => setPassword(event.target.value)} />}
        </Field>
        <Field label="Confirm new password" error={differs ? 'Passwords do not match' : null}>
          {(control) => <Input {...control} type="password" autoComplete="new-password" value={again} onChange={(event) => setAgain(event.target.value)} />}
        </Field>
        <Button type="submit" look="primary" busy={save.isPending} disabled={!ready} className="self-start">
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
    </Card>
  )
}
