import { useBlocker } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { queryError, type QueryState } from '@/query/state'
import { QueryBar } from '@/query/query-bar'
import { useConfirm } from '@/ui/dialog'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { buckets, widths, type ChartDefinition, type TimeBucket, type Width } from '../model/definition'
import { definitionOf, draftProblem, kinds, titleOf, type Draft, type KindName } from '../model/draft'
import { Groups } from './groups'
import { Measures } from './measures'
import { Preview } from './preview'
import { RatioForm } from './ratios'

/** The dialog to edit a chart, with a preview. */
export function ChartEditor({ initial, isNew, state, footer, action, ready = true, busy, onSave, onClose }: {
  initial: Draft
  isNew: boolean
  /** The query of the preview. */
  state: QueryState
  /** Rendered before the buttons, such as the target dashboard. */
  footer?: ReactNode
  action: string
  ready?: boolean
  busy: boolean
  onSave: (chart: ChartDefinition) => void
  onClose: () => void
}) {
  const [draft, setDraft] = useState(initial)
  const [saving, setSaving] = useState(false)
  const [wasBusy, setWasBusy] = useState(busy)
  if (wasBusy !== busy) {
    setWasBusy(busy)
    // Still open after saving: it failed, and the changes must not be lost.
    if (!busy) setSaving(false)
  }
  const confirm = useConfirm()
  const change = (next: Partial<Draft>) => setDraft((old) => ({ ...old, ...next }))
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial)
  const problem = draftProblem(draft) ?? queryError({ q: draft.q })?.message ?? null
  const askToLeave = () => confirm({ title: 'Discard changes?', body: 'Your changes to this chart will be lost.', action: 'Discard', danger: true })
  useBlocker({ shouldBlockFn: async () => !(await askToLeave()), disabled: !dirty || saving, enableBeforeUnload: dirty })
  const close = async () => {
    if (!dirty || (await askToLeave())) onClose()
  }
  const save = () => {
    setSaving(true)
    onSave(definitionOf(draft))
  }
  return (
    <FormDialog
      title={isNew ? 'New chart' : 'Edit chart'}
      size="wide"
      action={action}
      busy={busy}
      ready={problem === null && ready}
      reason={problem ?? undefined}
      aside={footer}
      onSubmit={save}
      onClose={() => void close()}
    >
      <div className="grid grid-cols-1 gap-5 md:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <Field label="Title">
            {(control) => <Input {...control} maxLength={200} value={draft.title} placeholder={titleOf(draft)} onChange={(event) => change({ title: event.target.value })} />}
          </Field>
          <Field label="Chart type">
            {(control) => (
              <Select {...control} value={draft.kind} onChange={(event) => change({ kind: event.target.value as KindName })}>
                {Object.entries(kinds).map(([kind, { label }]) => <option key={kind} value={kind}>{label}</option>)}
              </Select>
            )}
          </Field>
          <Measures draft={draft} onChange={change} />
          <Groups draft={draft} onChange={change} />
          <RatioForm draft={draft} onChange={change} />
          <Details draft={draft} onChange={change} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <div>
            <p className="mb-1 text-[13px] font-medium text-dim">Filter for this chart</p>
            <QueryBar state={{ q: draft.q === '' ? undefined : draft.q }} onChange={({ q }) => change({ q: q ?? '' })} />
          </div>
          <Preview chart={problem === null ? definitionOf(draft) : null} problem={problem} state={state} />
        </div>
      </div>
    </FormDialog>
  )
}

function Details({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { kind } = draft
  const limited = kind !== 'number' && kind !== 'histogram' && (!kinds[kind].time || draft.group !== null)
  return (
    <div className="flex flex-wrap gap-3">
      {kinds[kind].time && (
        <Field label="Time bucket" className="min-w-28 flex-1">
          {(control) => (
            <Select {...control} value={draft.bucket} onChange={(event) => onChange({ bucket: event.target.value as TimeBucket })}>
              {Object.entries(buckets).map(([bucket, label]) => <option key={bucket} value={bucket}>{label}</option>)}
            </Select>
          )}
        </Field>
      )}
      {limited && (
        <Field label="Number of groups" className="w-28">
          {(control) => (
            <Input {...control} type="number" min={1} max={100} value={draft.limit} onChange={(event) => onChange({ limit: Math.max(1, Math.min(100, Math.round(event.target.valueAsNumber) || 1)) })} />
          )}
        </Field>
      )}
      <Field label="Width" className="min-w-24 flex-1">
        {(control) => (
          <Select {...control} value={draft.width} onChange={(event) => onChange({ width: event.target.value as Width })}>
            {Object.entries(widths).map(([width, label]) => <option key={width} value={width}>{label}</option>)}
          </Select>
        )}
      </Field>
    </div>
  )
}
