import { useState } from 'react'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { usePreviewRedaction } from './redaction-data'
import { Preview } from './preview'
import { type Action, actions, type Draft, draftOf, isComplete, type Matcher, matchers, nameOf, nameProblem, needsText, type Rule, ruleOf } from './rules'

interface Saving {
  isPending: boolean
  error: Error | null
  reset: () => void
}

/** Asks for a new rule, or changes one, and shows what it would replace. */
export function RuleDialog({ rule, others, saving, onSave, onClose }: { rule: Rule | null; others: string[]; saving: Saving; onSave: (rule: Rule) => void; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(rule))
  const preview = usePreviewRedaction()
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    preview.reset() // it was for something else
    saving.reset()
  }
  const complete = isComplete(draft, others)
  return (
    <FormDialog
      size="wide"
      title={rule === null ? 'New rule' : `Rule ${rule.name}`}
      description="Applies to requests, spans and annotations that arrive from now on. What is stored stays as it is."
      action="Save"
      busy={saving.isPending}
      ready={complete}
      error={preview.error ?? saving.error}
      more={<Button busy={preview.isPending} disabled={!complete} onClick={() => preview.mutate([ruleOf({ ...draft, enabled: true })])}>Preview</Button>}
      onSubmit={() => onSave(ruleOf(draft))}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2"><RuleFields draft={draft} others={others} onChange={change} /></div>
      {preview.data && <Preview preview={preview.data} />}
    </FormDialog>
  )
}

function RuleFields({ draft, others, onChange }: { draft: Draft; others: string[]; onChange: (part: Partial<Draft>) => void }) {
  const action = actions.find(({ value }) => value === draft.action) ?? actions[0]
  return (
    <>
      <Field label="Find">
        {(control) => (
          <Select {...control} autoFocus value={draft.matcher} onChange={(event) => onChange({ matcher: event.target.value as Matcher })}>
            {matchers.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      <Field label="Name" error={nameProblem(draft, others)} hint="Replaces the matched text.">
        {(control) => <Input {...control} maxLength={40} placeholder={needsText(draft.matcher) ? undefined : draft.matcher} value={draft.name} onChange={(event) => onChange({ name: event.target.value })} />}
      </Field>
      {needsText(draft.matcher) && <TextField draft={draft} onChange={onChange} />}
      <Field label="Action" hint={<>Puts <code className="font-mono text-xs">{action.example(nameOf(draft) || 'name')}</code> in its place.</>}>
        {(control) => (
          <Select {...control} value={draft.action} onChange={(event) => onChange({ action: event.target.value as Action })}>
            {actions.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
    </>
  )
}

function TextField({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const isPath = draft.matcher === 'path'
  return (
    <Field
      label={isPath ? 'Path' : 'Regular expression'}
      hint={isPath ? 'Keys with dots between them. * stands for any key, ** for any number of them.' : 'In the syntax of Go (RE2).'}
      className="sm:col-span-2"
    >
      {(control) => (
        <Input
          {...control} required spellCheck={false} maxLength={isPath ? 500 : 1000} placeholder={isPath ? 'metadata.customer.name' : 'REF-[0-9]+'}
          value={draft.text} onChange={(event) => onChange({ text: event.target.value })} className="font-mono text-xs"
        />
      )}
    </Field>
  )
}
