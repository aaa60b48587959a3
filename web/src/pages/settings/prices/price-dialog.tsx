import { useState } from 'react'
import { count } from '@/lib/format'
import { Checkbox, Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useSavePrice } from './price-data'
import { type Draft, draftOf, isComplete, type Price, rateProblem, rates, startProblem } from './price-form'

/**
 * Asks for a new price, or changes one that has an id. If there are logged
 * requests without a price, they can be priced in the same step.
 */
export function PriceDialog({ price, logged = 0, onReprice, onClose }: { price: Partial<Price>; logged?: number; onReprice?: () => Promise<void>; onClose: () => void }) {
  const [andReprice, setAndReprice] = useState(true)
  const [draft, setDraft] = useState(() => draftOf(price))
  const id = price.id ?? null
  const save = useSavePrice(id)
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }))
    save.reset()
  }
  const submit = () => {
    save.mutate(draft, {
      onSuccess: () => {
        onClose()
        if (logged > 0 && andReprice) void onReprice?.()
      },
    })
  }
  return (
    <FormDialog
      title={id === null ? 'New price' : `Price of ${price.model ?? ''}`}
      description="US dollars per million tokens. Logged requests keep their price until they are priced again."
      action="Save"
      busy={save.isPending}
      ready={isComplete(draft)}
      error={save.error}
      className="grid gap-x-4 gap-y-3 sm:grid-cols-2"
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Provider" hint="As in requests; * for any.">
        {(control) => <Input {...control} autoFocus={draft.provider === ''} required maxLength={100} spellCheck={false} value={draft.provider} onChange={(event) => change({ provider: event.target.value })} className="font-mono text-xs" />}
      </Field>
      <Field label="Model" hint="* stands for any text.">
        {(control) => <Input {...control} required maxLength={255} spellCheck={false} value={draft.model} onChange={(event) => change({ model: event.target.value })} className="font-mono text-xs" />}
      </Field>
      <Field label="Valid from" hint="Empty for always." error={startProblem(draft.valid_from)} className="sm:col-span-2">
        {(control) => <Input {...control} placeholder="2026-01-31" value={draft.valid_from} onChange={(event) => change({ valid_from: event.target.value })} className="sm:w-1/2" />}
      </Field>
      {rates.map((rate) => <RateField key={rate.name} rate={rate} value={draft[rate.name]} autoFocus={rate.name === 'input' && draft.provider !== ''} onChange={(text) => change({ [rate.name]: text })} />)}
      {logged > 0 && (
        <label className="flex items-center gap-2 sm:col-span-2">
          <Checkbox checked={andReprice} onChange={(event) => setAndReprice(event.target.checked)} /> Also price the {count(logged)} logged requests of this model
        </label>
      )}
    </FormDialog>
  )
}

function RateField({ rate, value, autoFocus, onChange }: { rate: (typeof rates)[number]; value: string; autoFocus: boolean; onChange: (text: string) => void }) {
  const required = !('empty' in rate)
  // An empty field is not an error until the form is complete otherwise.
  const problem = value.trim() === '' ? null : rateProblem(rate.name, value)
  return (
    <Field label={rate.label} error={problem}>
      {(control) => <Input {...control} inputMode="decimal" required={required} autoFocus={autoFocus} placeholder={required ? undefined : rate.empty} value={value} onChange={(event) => onChange(event.target.value)} className="tabular" />}
    </Field>
  )
}
