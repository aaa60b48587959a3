import { Field, Input } from '@/ui/field'
import type { GuardForm } from './guard'

/** The bounds that stop a test. */
export function GuardFields({ value, onChange }: { value: GuardForm; onChange: (value: GuardForm) => void }) {
  const number = (label: string, name: keyof GuardForm) => (
    <Field label={label}>
      {(control) => <Input {...control} inputMode="decimal" placeholder="Not checked" value={value[name]} onChange={(event) => onChange({ ...value, [name]: event.target.value })} />}
    </Field>
  )
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-[13px] font-medium text-dim">Release guard</legend>
      <p className="text-[13px] text-dim">When a version is clearly worse than the one the label points to, by more than these bounds, all requests get that one again.</p>
      <div className="grid gap-3 sm:grid-cols-3">
        {number('More errors, percentage points', 'errors')}
        {number('More cost, %', 'cost')}
        {number('More latency, %', 'latency')}
        {number('Lower score, points', 'score')}
        <Field label="Name of the score">{(control) => <Input {...control} maxLength={255} placeholder="default" value={value.scoreName} onChange={(event) => onChange({ ...value, scoreName: event.target.value })} />}</Field>
      </div>
    </fieldset>
  )
}
