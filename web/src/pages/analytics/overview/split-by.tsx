import { Select } from '@/ui/field'
import { groupFields } from '@/query/fields'

/** Selects how the charts over time are grouped. */
export function SplitBy({ value, metadataKeys, onChange }: { value: string | undefined; metadataKeys: string[]; onChange: (by: string | undefined) => void }) {
  const keys = metadataKeys.map((key) => `metadata.${key}`)
  const all = value?.startsWith('metadata.') && !keys.includes(value) ? [value, ...keys] : keys
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 className="font-semibold">Over time</h2>
      <label className="flex items-center gap-2 text-[13px] text-dim">
        Split by
        <Select className="h-7 text-[13px]" value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">Default for each chart</option>
          {Object.entries(groupFields).map(([field, label]) => <option key={field} value={field}>{label}</option>)}
          {all.length > 0 && <optgroup label="Metadata values">{all.map((key) => <option key={key} value={key}>{key.slice('metadata.'.length)}</option>)}</optgroup>}
        </Select>
      </label>
      <p className="text-[13px] text-faint">Drag to zoom in. Click a part to add it to the query.</p>
    </div>
  )
}
