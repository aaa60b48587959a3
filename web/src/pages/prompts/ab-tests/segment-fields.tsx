import { Plus, X } from 'lucide-react'
import { replaced, without } from '@/lib/lists'
import type { Version } from '@/template/data'
import { Button, IconButton } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { WeightFields } from './weight-fields'
import type { SegmentForm } from './weights'

/** The conditions of a segment, and its split. */
export function SegmentFields({ value, onChange, versions }: { value: SegmentForm; onChange: (value: SegmentForm) => void; versions: Version[] }) {
  return (
    <div className="flex flex-col gap-3">
      <Field label="Name">{(control) => <Input {...control} maxLength={255} placeholder="Staff" value={value.name} onChange={(event) => onChange({ ...value, name: event.target.value })} />}</Field>
      <fieldset>
        <legend className="mb-1 text-[13px] font-medium text-dim">Requests whose metadata_filters match</legend>
        <div className="flex flex-col gap-1.5">
          {value.match.map((one, index) => (
            <div key={index} className="flex items-center gap-2">
              <Input aria-label={`Key ${index + 1}`} placeholder="role" className="flex-1" value={one.key} onChange={(event) => onChange({ ...value, match: replaced(value.match, index, { ...one, key: event.target.value }) })} />
              <span className="text-dim">is one of</span>
              <Input aria-label={`Values of key ${index + 1}, separated by commas`} placeholder="staff, admin" className="flex-[1.5]" value={one.values} onChange={(event) => onChange({ ...value, match: replaced(value.match, index, { ...one, values: event.target.value }) })} />
              <IconButton small label={`Remove key ${index + 1}`} disabled={value.match.length === 1} onClick={() => onChange({ ...value, match: without(value.match, index) })}><X /></IconButton>
            </div>
          ))}
          <div><Button small look="quiet" onClick={() => onChange({ ...value, match: [...value.match, { key: '', values: '' }] })}><Plus /> Add key</Button></div>
        </div>
      </fieldset>
      <WeightFields legend="Traffic split" value={value.weights} versions={versions} onChange={(weights) => onChange({ ...value, weights })} />
    </div>
  )
}
