import { useState } from 'react'
import { useMay } from '@/api/session'
import { ColumnChoice } from '@/export/column-choice'
import { formatHints, formats } from '@/export/formats'
import { Button } from '@/ui/button'
import { Checkbox, Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { Segments } from '@/ui/segments'
import { useToast } from '@/ui/toast'
import { useChangeExport, useCreateExport } from './export-data'
import { bodyOf, canBeAll, canBeIncremental, columnsOf, type Draft, draftOf, type Every, isBucket, isComplete, keepsCredentials, queryWords, type SavedExport, type Source, timeProblem, title, weekdays } from './export-form'

/** Asks for a new export. */
export function NewExportDialog({ start, folders, onClose }: { start: Partial<Draft>; folders: string[]; onClose: () => void }) {
  const create = useCreateExport()
  const toast = useToast()
  const save = (draft: Draft) => create.mutate(draft, {
    onSuccess: (made) => {
      toast.done(`Export ${made.export.name} created`)
      onClose()
    },
  })
  return <ExportForm title="New export" action="Create" saved={null} start={start} folders={folders} saving={create} onSave={save} onClose={onClose} />
}

/** Changes an export. */
export function EditExportDialog({ saved, folders, onClose }: { saved: SavedExport; folders: string[]; onClose: () => void }) {
  const change = useChangeExport(saved.id)
  const toast = useToast()
  const save = (draft: Draft) => change.mutate(draft, {
    onSuccess: (changed) => {
      toast.done(`Export ${changed.export.name} saved`)
      onClose()
    },
  })
  return <ExportForm title={`Export ${saved.name}`} action="Save" saved={saved} start={{}} folders={folders} saving={change} onSave={save} onClose={onClose} />
}

interface Saving {
  isPending: boolean
  error: Error | null
  reset: () => void
}

interface Part {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function ExportForm({ title: heading, action, saved, start, folders, saving, onSave, onClose }: {
  title: string
  action: string
  saved: SavedExport | null
  start: Partial<Draft>
  folders: string[]
  saving: Saving
  onSave: (draft: Draft) => void
  onClose: () => void
}) {
  const [draft, setDraft] = useState(() => draftOf(saved, start))
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    saving.reset()
  }
  return (
    <FormDialog
      title={heading}
      action={action}
      busy={saving.isPending}
      ready={isComplete(draft, saved)}
      error={saving.error}
      onSubmit={() => onSave(draft)}
      onClose={onClose}
    >
      <Field label="Name">
        {(control) => <Input {...control} required maxLength={255} placeholder="Archive" value={draft.name} onChange={(event) => change({ name: event.target.value })} />}
      </Field>
      <What draft={draft} change={change} />
      <TargetFields draft={draft} change={change} saved={saved} folders={folders} />
      <When draft={draft} change={change} />
    </FormDialog>
  )
}

function What({ draft, change }: Part) {
  const setSource = (source: Source) => change({ source, query: source === draft.source ? draft.query : {}, columns: new Set(columnsOf(source)), incremental: canBeIncremental(source) && draft.incremental })
  const all = Object.keys(bodyOf(draft).query).length === 0
  const administers = useMay('ADMIN')
  return (
    <>
      <div className="flex flex-wrap items-end gap-4">
        <Field label="What">
          {(control) => (
            <Select {...control} value={draft.source} onChange={(event) => setSource(event.target.value as Source)} className="w-40">
              <option value="requests">Requests</option>
              <option value="traces">Traces</option>
              {(administers || draft.source === 'audit') && <option value="audit">Audit log</option>}
              {draft.source === 'dataset' && <option value="dataset">Dataset</option>}
              {draft.source === 'evaluation' && <option value="evaluation">Evaluation results</option>}
            </Select>
          )}
        </Field>
        <p className="flex min-h-8 items-center gap-2 text-dim">
          {queryWords(draft.source, draft.query)}
          {!all && canBeAll(draft.source) && <Button small look="quiet" onClick={() => change({ query: {} })}>Export everything</Button>}
        </p>
      </div>
      {all && draft.source === 'requests' && <p className="-mt-2 text-[13px] text-faint">To export a search, a dataset or the results of an evaluation, choose Export on its page, and then Schedule this export.</p>}
      <div className="flex flex-col gap-1">
        <Segments label="Format" value={draft.format} options={formats} onChange={(format) => change({ format })} />
        <p className="text-[13px] text-faint">{formatHints[draft.format]}</p>
      </div>
      <Field label="Compression">
        {(control) => (
          <Select {...control} value={draft.compression} onChange={(event) => change({ compression: event.target.value })} className="w-40">
            <option value="">{draft.format === 'parquet' ? 'Default (zstd)' : 'Default (none)'}</option>
            <option value="none">None</option>
            <option value="gzip">gzip</option>
            <option value="zstd">zstd</option>
          </Select>
        )}
      </Field>
      {draft.format === 'csv' && (
        <label className="flex items-start gap-2">
          <Checkbox className="mt-0.5" checked={draft.keepFormulas} onChange={(event) => change({ keepFormulas: event.target.checked })} />
          <span>Keep formulas<span className="block text-[13px] text-faint">Otherwise, texts that a spreadsheet would evaluate get an apostrophe in front.</span></span>
        </label>
      )}
      {columnsOf(draft.source).length > 0 && (
        <details>
          <summary className="cursor-pointer text-[13px] font-medium text-dim">Choose columns</summary>
          <div className="pt-2"><ColumnChoice columns={columnsOf(draft.source)} chosen={draft.columns} onChange={(columns) => change({ columns })} /></div>
        </details>
      )}
    </>
  )
}

function TargetFields({ draft, change, saved, folders }: Part & { saved: SavedExport | null; folders: string[] }) {
  const hint = folders.length > 0 ? `s3://bucket/prefix, or a folder in ${folders.join(' or ')}` : 's3://bucket/prefix. The operator of this server has allowed no folders.'
  return (
    <>
      <Field label="Target" hint={hint}>
        {(control) => <Input {...control} required spellCheck={false} maxLength={1000} placeholder="s3://archive/promptuary" value={draft.address} onChange={(event) => change({ address: event.target.value })} className="font-mono text-xs" />}
      </Field>
      {isBucket(draft) && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Region">
              {(control) => <Input {...control} spellCheck={false} maxLength={255} placeholder="us-east-1" value={draft.region} onChange={(event) => change({ region: event.target.value })} />}
            </Field>
            <Field label="Endpoint" hint="Only for services other than AWS.">
              {(control) => <Input {...control} spellCheck={false} maxLength={1000} placeholder="https://minio.example.com" value={draft.endpoint} onChange={(event) => change({ endpoint: event.target.value })} className="font-mono text-xs" />}
            </Field>
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Access key" hint={keepsCredentials(draft, saved) ? 'Leave both empty to keep the stored credentials.' : undefined}>
              {(control) => <Input {...control} autoComplete="off" spellCheck={false} maxLength={1000} value={draft.accessKey} onChange={(event) => change({ accessKey: event.target.value })} />}
            </Field>
            <Field label="Secret key" hint="Stored encrypted and never shown.">
              {(control) => <Input {...control} type="password" autoComplete="new-password" maxLength={1000} value={draft.secretKey} onChange={(event) => change({ secretKey: event.target.value })} />}
            </Field>
          </div>
        </>
      )}
    </>
  )
}

const frequencies: { value: Every; label: string }[] = [{ value: 'once', label: 'Once' }, { value: 'hourly', label: 'Hourly' }, { value: 'daily', label: 'Daily' }, { value: 'weekly', label: 'Weekly' }]

function When({ draft, change }: Part) {
  return (
    <>
      <div className="flex flex-col gap-1">
        <Segments label="Schedule" value={draft.every} options={frequencies} onChange={(every) => change({ every })} />
        <p className="text-[13px] text-faint">{draft.every === 'once' ? 'It runs now, and whenever somebody starts it.' : 'Times are in UTC.'}</p>
      </div>
      {draft.every !== 'once' && (
        <div className="flex flex-wrap gap-4">
          {draft.every === 'weekly' && (
            <Field label="Day">
              {(control) => (
                <Select {...control} value={draft.weekday} onChange={(event) => change({ weekday: weekdays.find((day) => day === event.target.value) ?? 'monday' })} className="w-36">
                  {weekdays.map((day) => <option key={day} value={day}>{title(day)}</option>)}
                </Select>
              )}
            </Field>
          )}
          {draft.every !== 'hourly' && (
            <Field label="Hour" error={timeProblem(draft.hour, 23)}>
              {(control) => <Input {...control} inputMode="numeric" maxLength={2} value={draft.hour} onChange={(event) => change({ hour: event.target.value })} className="w-20" />}
            </Field>
          )}
          <Field label="Minute" error={timeProblem(draft.minute, 59)}>
            {(control) => <Input {...control} inputMode="numeric" maxLength={2} value={draft.minute} onChange={(event) => change({ minute: event.target.value })} className="w-20" />}
          </Field>
        </div>
      )}
      {canBeIncremental(draft.source) && (
        <label className="flex items-start gap-2">
          <Checkbox className="mt-0.5" checked={draft.incremental} onChange={(event) => change({ incremental: event.target.checked })} />
          <span>
            Only what is new
            <span className="block text-[13px] text-faint">
              Each row is exported once. Otherwise, each run exports everything that matches.
            </span>
          </span>
        </label>
      )}
    </>
  )
}
