import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { Checkbox, Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { useChangeWebhook, useCreateWebhook } from './webhook-data'
import { type Draft, draftOf, eventWords, isComplete, limitProblem, scoreEvent, type Webhook, withEvent } from './webhook-form'

type Made = Schemas['NewWebhookResponse']

/** Asks for a new webhook. */
export function NewWebhookDialog({ events, onClose, onMade }: { events: string[]; onClose: () => void; onMade: (made: Made) => void }) {
  const create = useCreateWebhook()
  const save = (draft: Draft) => create.mutate(draft, {
    onSuccess: (made) => {
      onClose()
      onMade(made)
    },
  })
  return <WebhookForm title="New webhook" action="Create" webhook={null} events={events} saving={create} onSave={save} onClose={onClose} />
}

/** Changes a webhook. */
export function EditWebhookDialog({ webhook, events, onClose }: { webhook: Webhook; events: string[]; onClose: () => void }) {
  const change = useChangeWebhook(webhook.id)
  const toast = useToast()
  const save = (draft: Draft) => change.mutate(draft, {
    onSuccess: (changed) => {
      toast.done(`Webhook ${changed.webhook.name} saved`)
      onClose()
    },
  })
  return <WebhookForm title={`Webhook ${webhook.name}`} action="Save" webhook={webhook} events={events} saving={change} onSave={save} onClose={onClose} />
}

const formatHints: Record<Draft['format'], string> = {
  json: 'Follows the Standard Webhooks specification.',
  slack: 'A message for Slack, Mattermost and other chat services. It is not signed.',
  email: 'Plain text, sent by the mail server of this installation.',
}

interface Saving {
  isPending: boolean
  error: Error | null
  reset: () => void
}

function WebhookForm({ title, action, webhook, events, saving, onSave, onClose }: {
  title: string
  action: string
  webhook: Webhook | null
  events: string[]
  saving: Saving
  onSave: (draft: Draft) => void
  onClose: () => void
}) {
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    saving.reset()
  }
  return (
    <FormDialog
      title={title}
      action={action}
      busy={saving.isPending}
      ready={isComplete(draft)}
      error={saving.error}
      onSubmit={() => onSave(draft)}
      onClose={onClose}
    >
      <Field label="Name">
        {(control) => <Input {...control} autoFocus required maxLength={255} placeholder="Deployments" value={draft.name} onChange={(event) => change({ name: event.target.value })} />}
      </Field>
      <Field label="URL" hint={draft.format === 'email' ? 'mailto: and e-mail addresses, separated by commas.' : 'Events are posted here. The address must be public, unless the operator of the server allows it.'}>
        {(control) => (
          <Input {...control} type="url" required spellCheck={false} maxLength={2000} placeholder={draft.format === 'email' ? 'mailto:ops@example.com' : 'https://example.com/hooks'} value={draft.url} onChange={(event) => change({ url: event.target.value })} className="font-mono text-xs" />
        )}
      </Field>
      <Field label="Format" hint={formatHints[draft.format]}>
        {(control) => (
          <Select {...control} value={draft.format} onChange={(event) => change({ format: event.target.value as Draft['format'] })}>
            <option value="json">Signed JSON</option>
            <option value="slack">Slack message</option>
            <option value="email">E-mail</option>
          </Select>
        )}
      </Field>
      <Events draft={draft} events={events} onChange={change} />
    </FormDialog>
  )
}

function Events({ draft, events, onChange }: { draft: Draft; events: string[]; onChange: (part: Partial<Draft>) => void }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-[13px] font-medium text-dim">Events</legend>
      {events.map((event) => (
        <label key={event} className="flex items-center gap-2 self-start">
          <Checkbox checked={draft.events.includes(event)} onChange={(change) => onChange({ events: withEvent(draft.events, event, change.target.checked, events) })} />
          {eventWords(event)}
        </label>
      ))}
      {draft.events.includes(scoreEvent) && (
        <Field label="Score below" error={limitProblem(draft)} className="ml-6 max-w-40">
          {(control) => <Input {...control} required inputMode="decimal" maxLength={20} placeholder="80" value={draft.scoreBelow} onChange={(event) => onChange({ scoreBelow: event.target.value })} />}
        </Field>
      )}
    </fieldset>
  )
}
