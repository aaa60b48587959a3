import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { type Reading, useCheck, usePreview, useReadDifferently } from './import-data'
import { fieldOf, filled, formats, type Import, isTable, mapped, type Mapping, metadataField, readingOf } from './import-words'
import { Footer } from './step'

type Preview = Schemas['ImportPreview']

/** The values that rows often lack. */
const defaults = [
  { field: 'provider', label: 'Provider', placeholder: 'openai' },
  { field: 'model', label: 'Model', placeholder: 'gpt-4o' },
  { field: 'request_start_time', label: 'Start time', placeholder: '2026-03-01T12:00:00Z' },
]

/** Asks how to read a file, shows what its first rows become, and checks it. */
export function ReadingForm({ one }: { one: Import }) {
  const preview = usePreview(one)
  const change = useReadDifferently(one.id)
  const check = useCheck(one.id)
  const toast = useToast()
  // Beside the import, which is reloaded after each change: the next change must not undo it.
  const [reading, setReading] = useState(() => readingOf(one))
  const read = (part: Partial<Reading>) => {
    const next = { ...reading, ...part }
    setReading(next)
    change.mutate(next, { onError: toast.failed })
  }
  if (preview.isPending) return <Loading label="Reading file" />
  if (preview.isError) return <ErrorState error={preview.error} retry={() => void preview.refetch()} />
  const { format, columns, error } = preview.data
  return (
    <div className="flex flex-col gap-4 py-1">
      {one.error !== null && <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">{one.error}</p>}
      <Field label="Format" hint={formats.find(({ value }) => value === (reading.format ?? format))?.about} className="sm:w-72">
        {(control) => (
          <Select {...control} value={reading.format ?? ''} onChange={(event) => read({ format: formats.find(({ value }) => value === event.target.value)?.value, columns: {} })}>
            <option value="">{format === null ? 'Not recognised' : `Recognised: ${formats.find(({ value }) => value === format)?.label ?? format}`}</option>
            {formats.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      {isTable(format) && columns.length > 0 && <ColumnMapping preview={preview.data} mapping={chosen(reading.columns) ?? preview.data.mapping} onChange={(next) => read({ columns: next })} />}
      <DefaultValues values={one.defaults} onChange={(values) => read({ defaults: { ...values } })} />
      {error !== null && <p role="alert" className="text-bad">{error}</p>}
      <FirstRows preview={preview.data} />
      <Footer>
        <Button look="primary" busy={check.isPending || change.isPending} disabled={error !== null} onClick={() => check.mutate(undefined, { onError: toast.failed })}>Check all rows</Button>
      </Footer>
    </div>
  )
}

/** The columns that were chosen, undefined if they are recognised by their names. */
function chosen(columns: Reading['columns']): Mapping | undefined {
  return columns !== undefined && Object.keys(columns).length > 0 ? columns : undefined
}

function ColumnMapping({ preview: { columns, fields }, mapping, onChange }: { preview: Preview; mapping: Mapping; onChange: (mapping: Mapping) => void }) {
  const rows = columns.filter((column) => column !== '')
  return (
    <section aria-label="Columns" className="rounded-lg border border-line">
      <SimpleTable
        label="Columns of the file"
        rows={rows}
        rowKey={(column) => column}
        columns={[
          { header: 'Column', cell: (column) => <span className="font-mono text-[13px]" title={column}>{column}</span> },
          {
            header: 'Becomes',
            cell: (column) => (
              <Select aria-label={`Field of ${column}`} className="w-full max-w-64" value={fieldOf(mapping, column)} onChange={(event) => onChange(mapped(mapping, column, event.target.value))}>
                <option value="">Not imported</option>
                {fields.map(({ name, description }) => <option key={name} value={name} title={description}>{name}</option>)}
                <option value={metadataField(column)}>{metadataField(column)}</option>
              </Select>
            ),
          },
        ]}
      />
    </section>
  )
}

function DefaultValues({ values, onChange }: { values: Record<string, string>; onChange: (values: Record<string, string>) => void }) {
  const [texts, setTexts] = useState(values)
  const save = () => {
    const next = filled(texts)
    if (JSON.stringify(next) !== JSON.stringify(values)) onChange(next)
  }
  return (
    <fieldset>
      <legend className="text-[13px] font-medium text-dim">For rows that lack it</legend>
      <div className="mt-1 grid gap-2 sm:grid-cols-3">
        {defaults.map(({ field, label, placeholder }) => (
          <Field key={field} label={label}>
            {(control) => <Input {...control} maxLength={200} placeholder={placeholder} value={texts[field] ?? ''} onChange={(event) => setTexts({ ...texts, [field]: event.target.value })} onBlur={save} />}
          </Field>
        ))}
      </div>
    </fieldset>
  )
}

/** What the first rows become. */
function FirstRows({ preview: { rows } }: { preview: Preview }) {
  if (rows.length === 0) return null
  return (
    <section className="rounded-lg border border-line">
      <SimpleTable
        label="First rows"
        scrolls
        rows={rows}
        rowKey={({ row }) => row}
        columns={[
          { header: 'Line', cell: ({ line }) => line, className: 'tabular' },
          { header: 'Model', cell: ({ log }) => textOf(log.model) },
          { header: 'Time', cell: ({ log }) => textOf(log.request_start_time), className: 'hidden sm:table-cell' },
          { header: 'Input', cell: ({ log }) => lastText(log.input), className: 'hidden md:table-cell max-w-60' },
          { header: 'Output', cell: ({ log }) => lastText(log.output), className: 'hidden md:table-cell max-w-60' },
          { header: 'Result', cell: ({ note }) => (note ? <span title={note.reason}><Badge tone={note.status === 'refused' ? 'bad' : 'warn'}>{note.status}</Badge> {note.reason}</span> : <Badge tone="good">valid</Badge>) },
        ]}
      />
    </section>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The last text in the messages of an input or output. */
function lastText(template: unknown): string {
  const { messages, content } = (template ?? {}) as { messages?: { content?: { text?: unknown }[] }[]; content?: { text?: unknown }[] }
  const parts = messages === undefined ? content : messages.at(-1)?.content
  return Array.isArray(parts) ? textOf(parts.find(({ text }) => typeof text === 'string')?.text) : ''
}
