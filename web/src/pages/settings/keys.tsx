import { useQuery } from '@tanstack/react-query'
import { Ban, Ellipsis, KeyRound, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { dateTime } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Switch } from '@/ui/field'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { type Key, type NewKey, NewKeyDialog, NewKeyShown, RotateDialog, useRevoke } from './key-dialogs'
import { keyState, until } from './key-state'
import { RoleBadges } from './role-picker'
import { NotAllowed, Section, useNewWindow, useSectionSearch } from './section'

export function KeysSection() {
  const manages = useMay('MANAGE_API_KEYS')
  const [creating, setCreating] = useNewWindow()
  if (!manages) return <Section id="keys"><NotAllowed permission="MANAGE_API_KEYS">Only developers and administrators can manage the API keys of the workspace.</NotAllowed></Section>
  return (
    <Section id="keys" actions={<Button look="primary" onClick={() => setCreating(true)}><Plus /> New key</Button>}>
      <Keys creating={creating} setCreating={setCreating} />
    </Section>
  )
}

function Keys({ creating, setCreating }: { creating: boolean; setCreating: (open: boolean) => void }) {
  const { workspace_id } = useSession()
  const [search, changeSearch] = useSectionSearch()
  const [rotated, setRotated] = useState<Key | null>(null)
  const [made, setMade] = useState<NewKey | null>(null)
  const list = useQuery({
    queryKey: ['w', workspace_id, 'keys'],
    queryFn: async () => (await call(api.GET('/api/admin/keys'))).keys,
  })
  const working = list.data?.filter((key) => keyState(key).works) ?? []
  const ended = (list.data?.length ?? 0) - working.length
  const shown = search.ended ? [...working, ...(list.data ?? []).filter((key) => !keyState(key).works)] : working
  return (
    <>
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className="rounded-lg border border-line bg-surface">
          {shown.length > 0 && <KeyTable keys={shown} onRotate={setRotated} />}
          {shown.length === 0 && (
            <EmptyState icon={<KeyRound />} title="No active keys" action={<Button look="primary" onClick={() => setCreating(true)}>New key</Button>}>
              Create a key to log requests and fetch prompts from your application.
            </EmptyState>
          )}
        </div>
      )}
      {ended > 0 && <Switch label={`Show ${ended === 1 ? '1 inactive key' : `${ended} inactive keys`}`} checked={search.ended === true} onChange={(on) => changeSearch({ ended: on ? true : undefined }, true)} />}
      {creating && <NewKeyDialog onClose={() => setCreating(false)} onMade={setMade} />}
      {rotated && <RotateDialog rotated={rotated} onClose={() => setRotated(null)} onMade={setMade} />}
      {made && <NewKeyShown made={made} onClose={() => setMade(null)} />}
    </>
  )
}

function KeyTable({ keys, onRotate }: { keys: Key[]; onRotate: (key: Key) => void }) {
  return (
    <SimpleTable
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Key', cell: NameCell, className: 'max-sm:max-w-32 max-sm:pr-1' },
        { header: 'Roles', cell: ({ roles }) => <RoleBadges roles={roles} />, className: 'whitespace-normal max-sm:px-2' },
        { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : <span className="text-faint">never</span>), className: 'hidden sm:table-cell text-dim' },
        { header: 'Expires', cell: (key) => <Ends of={key} />, className: 'hidden md:table-cell text-dim' },
        { header: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, className: 'hidden lg:table-cell text-dim' },
        { header: 'Status', cell: StateBadge, className: 'max-sm:px-2' },
        { header: <span className="sr-only">Actions</span>, className: 'w-12 text-right max-sm:px-1', cell: (key) => keyState(key).works && <KeyMenu of={key} onRotate={() => onRotate(key)} /> },
      ]}
    />
  )
}

function NameCell(key: Key) {
  return (
    <span className={cn('flex flex-col', !keyState(key).works && 'text-faint')} title={key.owner_email ? `Created by ${key.owner_email}` : undefined}>
      <span className="truncate font-medium">{key.name || 'unnamed'}</span>
      <code className="font-mono text-xs text-faint">pl_…{key.last_four}</code>
    </span>
  )
}

function Ends({ of: key }: { of: Key }) {
  if (key.revoked_at !== null) return <Ago at={key.revoked_at} />
  if (key.expires_at === null) return <span className="text-faint">never</span>
  if (!keyState(key).works) return <Ago at={key.expires_at} />
  return <time dateTime={key.expires_at} title={dateTime(key.expires_at)} className="tabular whitespace-nowrap">{until(key.expires_at)}</time>
}

function StateBadge(key: Key) {
  const { state, tone } = keyState(key)
  return <Badge tone={tone} title={key.revoked_at ? `Revoked ${dateTime(key.revoked_at)}` : undefined}>{state}</Badge>
}

function KeyMenu({ of: key, onRotate }: { of: Key; onRotate: () => void }) {
  const revoke = useRevoke()
  return (
    <Menu trigger={<IconButton small label={`Actions for key ${key.name} ending in ${key.last_four}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={onRotate}><RefreshCw /> Rotate</MenuItem>
      <MenuItem danger onSelect={() => void revoke(key)}><Ban /> Revoke</MenuItem>
    </Menu>
  )
}
