import type { UseMutationResult } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import type { Column, Report } from '@/evaluation/data'
import { same } from '@/lib/json'
import { useUnsaved } from '@/lib/unsaved'
import { ConfigurationEditor } from '@/step/configuration'
import { groups, initialConfiguration, nodeTypes, typeLabel, typesIn } from '@/step/node-types'
import { fillTemplate, templates } from '@/step/templates'
import { useConfirm } from '@/ui/dialog'
import { Field, Input, Select, Switch } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import type { Draft } from './actions'
import { nameFor } from './name'
import { TemplateExample } from './template-example'

const offered = typesIn('evaluations')

type Save = UseMutationResult<unknown, Error, { draft: Draft; column?: Column }>

/** Adds or edits a column. The types and forms are those of workflow nodes. */
export function ColumnDialog({ evaluation, column, locked, save, onClose }: { evaluation: Report; column?: Column; locked: boolean; save: Save; onClose: () => void }) {
  const columns = evaluation.report_columns
  const left = columns.filter(({ position }) => column === undefined || position < column.position)
  const begin = (): Draft => column ?? draftOf('PROMPT_TEMPLATE', columns)
  const [first] = useState(begin)
  const [draft, setDraft] = useState(first)
  const [named, setNamed] = useState(column !== undefined)
  const confirm = useConfirm()
  const dirty = !locked && !same(pick(first), pick(draft)) && !save.isPending && !save.isSuccess
  const leave = async () => !dirty || (await confirm({ title: 'Leave without saving?', body: `Your changes to column ${draft.name} will be lost.`, action: 'Leave', danger: true }))
  useUnsaved(dirty)
  useBlocker({ shouldBlockFn: async () => dirty && !(await leave()), enableBeforeUnload: dirty })
  const close = async () => {
    if (!(await leave())) return
    save.reset()
    onClose()
  }
  const submit = () => save.mutate({ draft: pick(draft), column }, { onSuccess: () => (save.reset(), onClose()) })
  const [template, setTemplate] = useState('')
  const started = templates.find(({ name }) => name === template)
  const setType = (type: string) => {
    setTemplate('')
    setDraft({ ...draftOf(type, columns), ...(named ? { name: draft.name } : {}) })
  }
  const startFrom = (name: string) => {
    const chosen = templates.find((one) => one.name === name)
    setTemplate(name)
    if (chosen === undefined) return
    const names = columns.map((one) => one.name)
    setDraft({ column_type: chosen.type, name: named ? draft.name : nameFor(chosen.name, names), configuration: fillTemplate(chosen, names.at(-1) ?? '', names), is_part_of_score: true })
  }
  const scope = {
    variables: left.filter(({ column_type }) => column_type === 'DATASET').map(({ name }) => name),
    nodes: left.filter(({ column_type }) => column_type !== 'DATASET').map(({ name }) => name),
    words: { variables: 'Dataset columns', nodes: 'Earlier columns' },
    locked,
  }
  return (
    <FormDialog
      title={column ? column.name : 'New column'}
      description={nodeTypes[draft.column_type]?.doc}
      action={locked ? null : column ? 'Save' : 'Add'}
      busy={save.isPending}
      ready={draft.name.trim() !== ''}
      error={save.error}
      onSubmit={submit}
      onClose={() => void close()}
    >
      {column === undefined && (
        <Field label="Start from a template">
          {(control) => (
            <Select {...control} value={template} onChange={(event) => startFrom(event.target.value)}>
              <option value="">none</option>
              {templates.map(({ name }) => <option key={name}>{name}</option>)}
            </Select>
          )}
        </Field>
      )}
      {started && <TemplateExample template={started} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Type">
          {(control) => (
            <Select {...control} disabled={locked} value={draft.column_type} onChange={(event) => setType(event.target.value)}>
              {!offered.some(({ name }) => name === draft.column_type) && <option value={draft.column_type}>{typeLabel(draft.column_type)}</option>}
              {groups.map((group) => (
                <optgroup key={group} label={group}>
                  {offered.filter((type) => type.group === group).map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
                </optgroup>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Name" hint={column && !locked ? 'Other columns refer to this name and are not updated.' : undefined}>
          {(control) => (
            <Input {...control} disabled={locked} maxLength={255} value={draft.name} onChange={(event) => {
              setNamed(true)
              setDraft({ ...draft, name: event.target.value })
            }} />
          )}
        </Field>
      </div>
      <ConfigurationEditor key={`${draft.column_type} ${template}`} type={draft.column_type} configuration={draft.configuration} scope={scope} onChange={(configuration) => setDraft({ ...draft, configuration })} />
      <Switch label="Part of the score" disabled={locked} checked={draft.is_part_of_score} onChange={(on) => setDraft({ ...draft, is_part_of_score: on })} />
    </FormDialog>
  )
}

/** A new column of a type with an unused name, using the last column, or the last two. */
function draftOf(type: string, columns: Column[]): Draft {
  const [source, other] = [columns.at(-1)?.name ?? '', columns.at(-2)?.name]
  const kind = nodeTypes[type]
  return { column_type: type, name: nameFor(kind?.label ?? type, columns.map(({ name }) => name)), configuration: initialConfiguration(type, source, other), is_part_of_score: kind?.group === 'Checks' || type === 'LLM_ASSERTION' }
}

function pick({ column_type, name, configuration, is_part_of_score }: Draft): Draft {
  return { column_type, name: name.trim(), configuration, is_part_of_score }
}
