import { Ellipsis, KeyRound, ListChecks, Pencil, Plus, Power, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { count } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { TabPanel, Tabs } from '@/ui/tabs'
import { Ago } from '@/ui/time'
import { ShownOnce } from '../once'
import { NotAllowed, Section, useNewWindow, useSectionSearch } from '../section'
import { Deliveries } from './deliveries'
import { useWebhookActions, useWebhooks } from './webhook-data'
import { EditWebhookDialog, NewWebhookDialog } from './webhook-dialog'
import { eventWords, type Webhook } from './webhook-form'

export function WebhooksSection() {
  const manages = useMay('MANAGE_WEBHOOKS')
  const [, setCreating] = useNewWindow()
  if (!manages) return <Section id="webhooks"><NotAllowed permission="MANAGE_WEBHOOKS">Only administrators can see and change webhooks: an address may contain a credential.</NotAllowed></Section>
  return (
    <Section id="webhooks" actions={<Button look="primary" onClick={() => setCreating(true)}><Plus /> New webhook</Button>}>
      <Webhooks />
    </Section>
  )
}

/** A secret that was just made, and for which webhook. */
interface Secret {
  name: string
  secret: string
}

function Webhooks() {
  const [search, change] = useSectionSearch()
  const [creating, setCreating] = useNewWindow()
  const [edited, setEdited] = useState<Webhook | null>(null)
  const [made, setMade] = useState<Secret | null>(null)
  const list = useWebhooks()
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const { webhooks, event_types: events } = list.data
  const dead = webhooks.reduce((sum, one) => sum + one.dead, 0)
  const tabs = [{ value: 'webhooks', label: 'Webhooks' }, { value: 'deliveries', label: dead > 0 ? `Deliveries (${count(dead)} dead)` : 'Deliveries' }] as const
  return (
    <>
      <Tabs
        label="Webhooks"
        value={search.tab === 'deliveries' ? 'deliveries' : 'webhooks'}
        tabs={[...tabs]}
        onChange={(next) => change({ tab: next === 'deliveries' ? next : undefined, webhook: undefined, state: undefined, page: undefined })}
      >
        <TabPanel value="webhooks" className="pt-4">
          <div className="rounded-lg border border-line bg-surface">
            {webhooks.length > 0 ? <WebhookTable webhooks={webhooks} onEdit={setEdited} onSecret={setMade} /> : <NoWebhooks onNew={() => setCreating(true)} />}
          </div>
        </TabPanel>
        <TabPanel value="deliveries" className="pt-4"><Deliveries webhooks={webhooks} /></TabPanel>
      </Tabs>
      {creating && <NewWebhookDialog events={events} onClose={() => setCreating(false)} onMade={({ webhook, secret }) => { if (webhook.format === 'json') setMade({ name: webhook.name, secret }) }} />}
      {edited && <EditWebhookDialog webhook={edited} events={events} onClose={() => setEdited(null)} />}
      {made && (
        <ShownOnce title={`Secret of ${made.name}`} noun="secret" secret={made.secret} onClose={() => setMade(null)}>
          <p className="text-dim">Receivers verify with it that deliveries come from this server. Libraries for Standard Webhooks accept it as it is.</p>
        </ShownOnce>
      )}
    </>
  )
}

function NoWebhooks({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState icon={<WebhookIcon />} title="No webhooks" action={<Button onClick={onNew}><Plus /> New webhook</Button>}>
      A webhook tells another program, a chat or an e-mail address when a version is published, a release label moves, a run ends or an alert fires.
    </EmptyState>
  )
}

interface RowActions {
  onEdit: (webhook: Webhook) => void
  onSecret: (made: Secret) => void
}

function WebhookTable({ webhooks, ...actions }: { webhooks: Webhook[] } & RowActions) {
  return (
    <SimpleTable
      label="Webhooks"
      rows={webhooks}
      rowKey={({ id }) => id}
      onOpen={actions.onEdit}
      columns={[
        { header: 'Name', cell: (webhook) => <NameCell webhook={webhook} onEdit={actions.onEdit} />, className: 'max-w-72 max-sm:max-w-40 max-sm:pr-1' },
        { header: 'Events', cell: ({ events }) => events.map(eventWords).join(', '), className: 'hidden lg:table-cell text-dim whitespace-normal' },
        { header: 'Changed', cell: ({ updated_at }) => <Ago at={updated_at} />, className: 'hidden md:table-cell text-dim' },
        { header: 'Status', cell: StatusCell, className: 'max-sm:px-2' },
        { header: <span className="sr-only">Actions</span>, cell: (webhook) => <WebhookMenu webhook={webhook} {...actions} />, className: 'w-12 text-right max-sm:px-1' },
      ]}
    />
  )
}

function NameCell({ webhook, onEdit }: { webhook: Webhook; onEdit: (webhook: Webhook) => void }) {
  return (
    <span className="flex flex-col items-start">
      <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => onEdit(webhook)}>{webhook.name}</button>
      <code className="max-w-full truncate font-mono text-xs text-faint" title={webhook.url}>{webhook.url}</code>
    </span>
  )
}

function StatusCell({ enabled, pending, dead, format }: Webhook) {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Badge>
      {format !== 'json' && <Badge className="hidden sm:inline-flex">{format === 'slack' ? 'Slack' : 'e-mail'}</Badge>}
      {pending > 0 && <Badge tone="info">{count(pending)} pending</Badge>}
      {dead > 0 && <Badge tone="bad">{count(dead)} dead</Badge>}
    </span>
  )
}

function WebhookMenu({ webhook, onEdit, onSecret }: { webhook: Webhook } & RowActions) {
  const { setEnabled, test, rotate, remove } = useWebhookActions()
  const [, change] = useSectionSearch()
  const deliveries = { tab: 'deliveries', webhook: webhook.id, state: undefined, page: undefined } as const
  const sendTest = async () => {
    const sent = await test(webhook)
    if (sent) change({ ...deliveries, entry: sent.id })
  }
  const rotateSecret = async () => {
    const secret = await rotate(webhook)
    if (secret !== undefined) onSecret({ name: webhook.name, secret })
  }
  return (
    <Menu trigger={<IconButton small label={`Actions for ${webhook.name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={() => onEdit(webhook)}><Pencil /> Edit</MenuItem>
      <MenuItem onSelect={() => change(deliveries)}><ListChecks /> Show deliveries</MenuItem>
      <MenuItem disabled={!webhook.enabled} onSelect={() => void sendTest()}><Send /> Send test</MenuItem>
      <MenuItem onSelect={() => void setEnabled(webhook, !webhook.enabled)}><Power /> {webhook.enabled ? 'Disable' : 'Enable'}</MenuItem>
      <MenuItem onSelect={() => void rotateSecret()}><KeyRound /> Rotate secret</MenuItem>
      <MenuItem danger onSelect={() => void remove(webhook)}><Trash2 /> Delete</MenuItem>
    </Menu>
  )
}
