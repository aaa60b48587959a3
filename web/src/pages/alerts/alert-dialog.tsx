import { useState } from 'react'
import { QueryBar } from '@/query/query-bar'
import { queryWords } from '@/query/stored'
import { Button } from '@/ui/button'
import { Checkbox, Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { useSaveAlert } from './alert-data'
import { type Alert, type Draft, draftOf, isComplete, measures, problems, windows, windowWords } from './alert-form'
import { KeyField } from './key-field'
import { Preview } from './preview'
import type { Kind } from './search'

/** Asks for a new alert or budget, or changes one, and shows what it would find. */
export function AlertDialog({ alert, kind, q, onClose }: { alert: Alert | null; kind: Kind; q?: string; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(alert, kind, q))
  const save = useSaveAlert(alert?.id ?? null)
  const toast = useToast()
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    save.reset()
  }
  const submit = () => {
    save.mutate(draft, {
      onSuccess: () => {
        toast.done(`${draft.name.trim()} saved`)
        onClose()
      },
    })
  }
  const noun = draft.kind === 'budget' ? 'budget' : 'alert'
  return (
    <FormDialog
      size="wide"
      title={alert === null ? `New ${noun}` : alert.name}
      description="Messages go to the webhooks of the workspace that have chosen the event “Alert”."
      action={alert === null ? 'Create' : 'Save'}
      busy={save.isPending}
      ready={isComplete(draft)}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-3">
          <Requests draft={draft} onChange={change} />
          <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
            <Field label="Name" className="sm:col-span-2">
              {(control) => <Input {...control} required maxLength={255} placeholder={draft.kind === 'budget' ? 'Monthly budget' : 'Errors of the storefront'} value={draft.name} onChange={(event) => change({ name: event.target.value })} />}
            </Field>
            {draft.kept === null && <KeyField q={draft.q} onChange={(q) => change({ q })} />}
            {draft.kind === 'budget' ? <BudgetFields draft={draft} onChange={change} /> : <RuleFields draft={draft} onChange={change} />}
            <MessageFields draft={draft} onChange={change} />
          </div>
        </div>
        <Preview draft={draft} />
      </div>
    </FormDialog>
  )
}

interface FieldProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

/** The query, or that of an alert made elsewhere if it cannot be typed. */
function Requests({ draft, onChange }: FieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-[13px] font-medium text-dim">Requests</span>
      {draft.kept === null
        ? <QueryBar state={{ q: draft.q === '' ? undefined : draft.q }} onChange={({ q }) => onChange({ q: q ?? '' })} />
        : <p className="flex flex-wrap items-center gap-2">{queryWords(draft.kept)} <Button small onClick={() => onChange({ kept: null })}>Replace</Button></p>}
    </div>
  )
}

function RuleFields({ draft, onChange }: FieldProps) {
  const wrong = problems(draft)
  const unit = draft.measure === 'error_rate' ? ' (%)' : draft.measure === 'cost' ? ' ($)' : draft.measure.startsWith('latency') ? ' (ms)' : ''
  return (
    <>
      <Field label="Measure">
        {(control) => (
          <Select {...control} value={draft.measure} onChange={(event) => onChange({ measure: event.target.value as Draft['measure'] })}>
            {measures.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      {draft.measure === 'score_mean' && (
        <Field label="Score">
          {(control) => <Input {...control} required maxLength={255} placeholder="quality" value={draft.scoreName} onChange={(event) => onChange({ scoreName: event.target.value })} />}
        </Field>
      )}
      <Field label="In the last">
        {(control) => (
          <Select {...control} value={draft.window} onChange={(event) => onChange({ window: Number(event.target.value) })}>
            {!windows.some(([value]) => value === draft.window) && <option value={draft.window}>{windowWords(draft.window)}</option>}
            {windows.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      <Field label="Fires when it is">
        {(control) => (
          <Select {...control} value={draft.comparison} onChange={(event) => onChange({ comparison: event.target.value as Draft['comparison'] })}>
            <option value="above">above</option>
            <option value="below">below</option>
          </Select>
        )}
      </Field>
      <Field label={`Threshold${unit}`} error={wrong.threshold}>
        {(control) => <Input {...control} required inputMode="decimal" maxLength={30} value={draft.threshold} onChange={(event) => onChange({ threshold: event.target.value })} />}
      </Field>
      <Field label="Minimum requests" hint='Fewer requests count as "no data".' error={wrong.requests}>
        {(control) => <Input {...control} inputMode="numeric" maxLength={12} placeholder={draft.measure === 'count' ? '0' : '1'} value={draft.requests} onChange={(event) => onChange({ requests: event.target.value })} />}
      </Field>
    </>
  )
}

function BudgetFields({ draft, onChange }: FieldProps) {
  const wrong = problems(draft)
  return (
    <>
      <Field label="Amount ($)" error={wrong.threshold}>
        {(control) => <Input {...control} required inputMode="decimal" maxLength={30} placeholder="200" value={draft.threshold} onChange={(event) => onChange({ threshold: event.target.value })} />}
      </Field>
      <Field label="Per calendar" hint="Periods begin at midnight in UTC.">
        {(control) => (
          <Select {...control} value={draft.period} onChange={(event) => onChange({ period: event.target.value as Draft['period'] })}>
            <option value="month">month</option>
            <option value="day">day</option>
          </Select>
        )}
      </Field>
      <Field label="Messages at (%)" error={wrong.levels} className="sm:col-span-2">
        {(control) => <Input {...control} required maxLength={60} value={draft.levels} onChange={(event) => onChange({ levels: event.target.value })} />}
      </Field>
    </>
  )
}

function MessageFields({ draft, onChange }: FieldProps) {
  return (
    <>
      <Field label="Remind every (hours)" hint="Empty: one message." error={problems(draft).remind}>
        {(control) => <Input {...control} inputMode="numeric" maxLength={5} value={draft.remind} onChange={(event) => onChange({ remind: event.target.value })} />}
      </Field>
      {draft.kind === 'alert' && (
        <label className="flex items-center gap-2 sm:col-span-2">
          <Checkbox checked={draft.noData} onChange={(event) => onChange({ noData: event.target.checked })} /> Also notify when there is no data
        </label>
      )}
    </>
  )
}
