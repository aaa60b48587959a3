import { useBlocker } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { count, dateTime } from '@/lib/format'
import { useUnsaved } from '@/lib/unsaved'
import { Button, IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Field, Input, Select } from '@/ui/field'
import { useToast } from '@/ui/toast'
import { moved } from '../redaction/rules'
import { usePreviewRetention, useSetRetention } from './retention-data'
import { daysProblem, type Draft, draftOf, isChanged, isComplete, maxRules, newRule, previewWords, ruleProblem, rulesOf, type RuleDraft, statuses } from './rules'

type Preview = Schemas['RetentionPreview']

const whyNot = 'You do not have permission to change how long requests are kept'

/** Edits the rules, and shows what they would delete. */
export function RulesForm({ stored, manages }: { stored: Schemas['RetentionResponse']; manages: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(stored))
  const preview = usePreviewRetention()
  const save = useSave()
  const changed = isChanged(draft, stored)
  useLeaveGuard(changed)
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    preview.reset() // it was for something else
    save.reset()
  }
  const setRule = (index: number, part: Partial<RuleDraft>) => change({ rules: draft.rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)) })
  const complete = isComplete(draft)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    void save.ask(draft)
  }
  const problem = preview.error ?? save.error
  return (
    <form onSubmit={submit} className="flex max-w-3xl flex-col gap-4">
      <fieldset disabled={!manages} className="flex flex-col gap-3">
        <legend className="mb-2 font-semibold">Requests</legend>
        {draft.rules.length > 0 && (
          <ol className="flex flex-col gap-2">
            {draft.rules.map((rule, index) => (
              <RuleRow
                key={index} rule={rule} index={index} last={index === draft.rules.length - 1} found={preview.data?.rules[index]} onChange={(part) => setRule(index, part)}
                onMove={(by) => change({ rules: moved(draft.rules, index, by) })} onRemove={() => change({ rules: draft.rules.filter((_, at) => at !== index) })}
              />
            ))}
          </ol>
        )}
        <div className="flex flex-wrap items-end gap-3">
          <DaysField label={draft.rules.length > 0 ? 'Keep all other requests for' : 'Keep requests for'} value={draft.days} onChange={(days) => change({ days })} />
          <Found n={preview.data?.rest} />
          <Button disabled={draft.rules.length >= maxRules} onClick={() => change({ rules: [...draft.rules, newRule] })} className="ml-auto"><Plus /> Add rule</Button>
        </div>
        {draft.rules.length > 0 && <p className="text-[13px] text-faint">The first rule that matches a request decides.</p>}
      </fieldset>
      <fieldset disabled={!manages} className="flex flex-col gap-2">
        <legend className="mb-2 font-semibold">Texts</legend>
        <div className="flex flex-wrap items-end gap-3">
          <DaysField label="Keep texts for" value={draft.textDays} onChange={(textDays) => change({ textDays })} />
          <Found n={preview.data?.texts} />
        </div>
        <p className="text-[13px] text-faint">
          Deletes the input, output, parameters, input variables, error messages and traces of requests earlier than the requests. Tokens, costs, metadata, scores and tags stay.
        </p>
      </fieldset>
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!manages || !changed || !complete} title={manages ? undefined : whyNot}>Save</Button>
        <Button busy={preview.isPending} disabled={!manages || !complete} title={manages ? undefined : whyNot} onClick={() => preview.mutate(rulesOf(draft))}>Preview</Button>
        {changed && <Button look="quiet" onClick={() => change(draftOf(stored))}>Discard changes</Button>}
      </div>
      {problem && <p role="alert" className="text-bad">{problem.message}</p>}
      {preview.data && <Summary preview={preview.data} />}
      <Status stored={stored} />
      {!manages && <p className="text-[13px] text-faint">{whyNot}.</p>}
    </form>
  )
}

/** Saves rules, after a confirmation that says what they delete. */
function useSave() {
  const preview = usePreviewRetention()
  const set = useSetRetention()
  const confirm = useConfirm()
  const toast = useToast()
  const ask = async (draft: Draft) => {
    const rules = rulesOf(draft)
    try {
      const words = previewWords(await preview.mutateAsync(rules))
      const ok = words === null || (await confirm({
        title: 'Save the rules?', body: `In ten minutes they delete ${words}, and more as time passes. This cannot be undone. Until then you can change the rules.`, action: 'Save', danger: true,
      }))
      if (!ok) return
      await set.mutateAsync(rules)
      toast.done('Retention rules saved')
    } catch {
      // The mutations have the error.
    }
  }
  return { ask, isPending: preview.isPending || set.isPending, error: preview.error ?? set.error, reset: () => { preview.reset(); set.reset() } }
}

function useLeaveGuard(changed: boolean) {
  const confirm = useConfirm()
  useUnsaved(changed)
  useBlocker({
    shouldBlockFn: async () => changed && !(await confirm({ title: 'Leave without saving?', body: 'The changes of the rules are lost.', action: 'Leave', danger: true })),
    enableBeforeUnload: changed,
  })
}

function RuleRow({ rule, index, last, found, onChange, onMove, onRemove }: {
  rule: RuleDraft
  index: number
  last: boolean
  /** How many requests the rule would delete now. */
  found: number | undefined
  onChange: (part: Partial<RuleDraft>) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  const name = `rule ${index + 1}`
  return (
    <li aria-label={`Rule ${index + 1}`} className="flex flex-wrap items-start gap-3 rounded-lg border border-line bg-surface p-3">
      <Field label="Status" className="w-32">
        {(control) => (
          <Select {...control} value={rule.status} onChange={(event) => onChange({ status: event.target.value as RuleDraft['status'] })}>
            {statuses.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      <Field label="Tag" error={ruleProblem(rule)} className="min-w-32 flex-1">
        {(control) => <Input {...control} maxLength={1000} placeholder="Any tag" value={rule.tag} onChange={(event) => onChange({ tag: event.target.value })} />}
      </Field>
      <DaysField label="Keep for" value={rule.days} onChange={(days) => onChange({ days })} />
      <span className="ml-auto flex items-center pt-6">
        <Found n={found} />
        <IconButton small label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(-1)}><ArrowUp /></IconButton>
        <IconButton small label={`Move ${name} down`} disabled={last} onClick={() => onMove(1)}><ArrowDown /></IconButton>
        <IconButton small label={`Remove ${name}`} onClick={onRemove}><X /></IconButton>
      </span>
    </li>
  )
}

/** A number of days; empty is for ever. */
function DaysField({ label, value, onChange }: { label: string; value: string; onChange: (days: string) => void }) {
  return (
    <Field label={label} error={daysProblem(value)}>
      {(control) => (
        <span className="flex items-center gap-2">
          <Input {...control} inputMode="numeric" placeholder="Forever" value={value} onChange={(event) => onChange(event.target.value)} className="tabular w-24" />
          <span className="text-dim">days</span>
        </span>
      )}
    </Field>
  )
}

function Found({ n }: { n: number | undefined }) {
  return n === undefined ? null : <span className="tabular mr-2 flex h-8 items-center text-dim">{count(n)} now</span>
}

function Summary({ preview }: { preview: Preview }) {
  const words = previewWords(preview)
  return <p role="status">{words === null ? 'These rules would delete nothing now.' : <>These rules would delete <strong>{words}</strong> now.</>}</p>
}

function Status({ stored }: { stored: Schemas['RetentionResponse'] }) {
  if (stored.due_at === null) return <p className="text-[13px] text-faint">There are no rules: everything is kept.</p>
  return (
    <p className="text-[13px] text-faint">
      Next applied: {dateTime(stored.due_at)}, then once a day.
      {stored.updated_at !== null && <> Last changed: {dateTime(stored.updated_at)}{stored.updated_by !== null && ` by ${stored.updated_by}`}.</>}
    </p>
  )
}
