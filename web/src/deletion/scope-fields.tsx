import { useState } from 'react'
import { findField } from '@/query/fields'
import { SuggestInput } from '@/query/suggest-input'
import { useKeys } from '@/query/suggestions'
import { Checkbox } from '@/ui/field'
import { isNamed, type Scope, type ScopeKind } from './scope'

const options: { kind: ScopeKind; label: string; about: string }[] = [
  { kind: 'requests', label: 'Requests', about: 'With their traces, metadata, scores and tags.' },
  { kind: 'texts', label: 'Only their texts', about: 'Input, output, parameters, input variables, error message and traces. Tokens, costs, metadata, scores and tags stay.' },
  { kind: 'key', label: 'Only a metadata key', about: 'With all keys below it. Everything else stays.' },
  { kind: 'score', label: 'Only a score', about: 'Everything else stays.' },
]

/** Chooses what is deleted of requests. */
export function ScopeFields({ scope, kinds, onChange }: { scope: Scope; kinds?: readonly ScopeKind[]; onChange: (scope: Scope) => void }) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-[13px] font-medium text-dim">What to delete</legend>
      {options.filter(({ kind }) => kinds?.includes(kind) ?? true).map(({ kind, label, about }) => (
        <label key={kind} className="flex items-start gap-2">
          <input type="radio" name="scope" checked={scope.kind === kind} onChange={() => onChange({ kind, name: '', traces: false })} className="mt-0.5 size-4 shrink-0 accent-(--accent)" />
          <span>{label}<span className="block text-[13px] text-faint">{about}</span></span>
        </label>
      ))}
      {isNamed(scope) && (
        <div className="ml-6 flex flex-col gap-2">
          <NameInput key={scope.kind} scope={scope} onChange={(name) => onChange({ ...scope, name })} />
          <label className="flex items-start gap-2">
            <Checkbox checked={scope.traces} onChange={(event) => onChange({ ...scope, traces: event.target.checked })} className="mt-0.5" />
            <span>Delete their traces, too<span className="block text-[13px] text-faint">Spans keep the metadata that they were sent with.</span></span>
          </label>
        </div>
      )}
    </fieldset>
  )
}

const labels = { key: 'Metadata key', score: 'Score name' }

/** The metadata key or the name of the score, with suggestions from all requests. */
function NameInput({ scope: { kind, name }, onChange }: { scope: Scope; onChange: (name: string) => void }) {
  const [open, setOpen] = useState(false)
  const field = kind === 'score' ? 'score' : 'metadata'
  const names = useKeys(findField(field, true), name, { range: 'all' }, open)
  const label = kind === 'score' ? labels.score : labels.key
  return <SuggestInput label={label} placeholder={label} value={name} onChange={onChange} options={names} open={open} onOpenChange={setOpen} className="relative" />
}
