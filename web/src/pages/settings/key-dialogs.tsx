import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { ago } from '@/lib/format'
import { Snippet } from '@/ui/copy'
import { useConfirm } from '@/ui/dialog'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { curlFor, endAfter } from './key-state'
import { ShownOnce } from './once'
import { RolePicker, useNoRole } from './role-picker'
import { useRoles } from './roles'

export type Key = Schemas['KeyItem']
export type NewKey = Schemas['NewKeyResponse']

function useRefreshKeys(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['w', workspace_id, 'keys'] })
}

const lives = [[0, 'Never'], [7, 'In 7 days'], [30, 'In 30 days'], [90, 'In 90 days'], [365, 'In 1 year']] as const

export function NewKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (made: NewKey) => void }) {
  const noRole = useNoRole()
  const refresh = useRefreshKeys()
  const [name, setName] = useState('')
  const [roles, setRoles] = useState(['Logger'])
  const [days, setDays] = useState(0)
  const create = useMutation({
    mutationFn: () => call(api.POST('/api/admin/keys', { body: { name: name.trim(), roles, expires_at: endAfter(days) } })),
    onSuccess: async (made) => {
      onClose()
      onMade(made)
      await refresh()
    },
  })
  return (
    <FormDialog
      title="New key"
      action="Create"
      busy={create.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" hint="What the key is for" error={create.error?.message}>
        {(control) => <Input {...control} autoFocus required maxLength={255} placeholder="production" value={name} onChange={(event) => { setName(event.target.value); create.reset() }} />}
      </Field>
      <RolePicker legend="Roles" holders="keys" value={roles} onChange={setRoles} none={noRole} />
      <Field label="Expires" className="self-start">
        {(control) => (
          <Select {...control} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {lives.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

const overlaps = [[0, 'Immediately'], [3600, 'After 1 hour'], [86_400, 'After 1 day'], [604_800, 'After 1 week'], [2_592_000, 'After 30 days']] as const

export function RotateDialog({ rotated, onClose, onMade }: { rotated: Key; onClose: () => void; onMade: (made: NewKey) => void }) {
  const toast = useToast()
  const refresh = useRefreshKeys()
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useMutation({
    mutationFn: () => call(api.POST('/api/admin/keys/{key_id}/rotate', { params: { path: { key_id: rotated.id } }, body: { overlap_seconds: overlap } })),
    onSuccess: async (made) => {
      onClose()
      onMade(made)
      await refresh()
    },
    onError: toast.failed,
  })
  return (
    <FormDialog
      size="narrow"
      title={`Rotate ${rotated.name || 'key'}`}
      description={`Creates a new key with the same name, roles and expiry to replace pl_…${rotated.last_four}.`}
      action="Rotate"
      busy={rotate.isPending}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Field label="The old key stops working" hint={overlap === 0 ? 'Applications that still use it will be refused immediately.' : 'Switch your applications to the new key before then.'}>
        {(control) => (
          <Select {...control} value={overlap} onChange={(event) => setOverlap(Number(event.target.value))}>
            {overlaps.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

export function NewKeyShown({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const session = useSession()
  const { data } = useRoles()
  const required = session.workspaces.find(({ id }) => id === session.workspace_id)?.roles_required === true
  const held = data?.filter(({ name }) => made.key.roles.includes(name)) ?? []
  const mayLog = made.key.roles.length === 0 ? !required : held.some(({ permissions }) => permissions.includes('REQUEST_CREATE'))
  // The times in the command are those when the key was created.
  const [now] = useState(() => new Date())
  const command = curlFor(window.location.origin, made.api_key, mayLog, now)
  return (
    <ShownOnce title={`New key: ${made.key.name || 'unnamed'}`} noun="key" secret={made.api_key} onClose={onClose}>
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="text-dim">{mayLog ? 'Log a request with it:' : 'List the prompts with it:'}</p>
        <Snippet code={command} />
      </div>
    </ShownOnce>
  )
}

/** Returns a function that revokes a key after confirmation. */
export function useRevoke(): (key: Key) => Promise<void> {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefreshKeys()
  return async (key) => {
    const name = key.name || 'unnamed'
    const used = key.last_used_at ? `It was last used ${ago(key.last_used_at)}.` : 'It has never been used.'
    const ok = await confirm({
      title: `Revoke key ${name}?`,
      body: `pl_…${key.last_four} stops working immediately. Applications that use it will be refused. ${used} This cannot be undone.`,
      action: 'Revoke',
      danger: true,
    })
    if (!ok) return
    try {
      await call(api.DELETE('/api/admin/keys/{key_id}', { params: { path: { key_id: key.id } } }))
      toast.done(`Key ${name} revoked`)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
}
