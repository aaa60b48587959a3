import { Plus, Trash2 } from 'lucide-react'
import { cn } from '@/lib/cn'
import { replaced, without } from '@/lib/lists'
import type { Version } from '@/template/data'
import { versionNote } from '@/template/version-words'
import { Button, IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { evenly, sumOf, type Weight } from './weights'

/** The share of each version, with the total. */
export function WeightFields({ legend, value, onChange, versions }: { legend: string; value: Weight[]; onChange: (value: Weight[]) => void; versions: Version[] }) {
  const sum = sumOf(value)
  const unused = versions.find(({ number }) => !value.some(({ version_number }) => version_number === number))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-[13px] font-medium text-dim">{legend}</legend>
      <div className="flex flex-col gap-1.5">
        {value.map((one, index) => (
          <div key={index} className="flex items-center gap-2">
            <Select aria-label={`Version ${index + 1} of the split`} className="min-w-0 flex-1" value={one.version_number} onChange={(event) => onChange(replaced(value, index, { ...one, version_number: Number(event.target.value) }))}>
              {!versions.some(({ number }) => number === one.version_number) && <option value={one.version_number}>Version {one.version_number}</option>}
              {versions.map((version) => <option key={version.number} value={version.number}>Version {version.number}{versionNote(version) ? `, ${versionNote(version)}` : ''}</option>)}
            </Select>
            <Input type="number" min={0} max={100} step="any" aria-label={`Share of version ${one.version_number} in percent`} className="w-20 shrink-0 text-right tabular" value={Number.isFinite(one.weight) ? one.weight : ''} onChange={(event) => onChange(replaced(value, index, { ...one, weight: event.target.value === '' ? NaN : Number(event.target.value) }))} />
            <span aria-hidden className="text-dim">%</span>
            <IconButton small label={`Remove version ${one.version_number}`} disabled={value.length === 1} onClick={() => onChange(without(value, index))}><Trash2 /></IconButton>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-2">
          <Button small look="quiet" disabled={unused === undefined} onClick={() => unused && onChange([...value, { version_number: unused.number, weight: Math.max(0, 100 - sum) }])}><Plus /> Add version</Button>
          <Button small look="quiet" disabled={value.length < 2} onClick={() => onChange(evenly(value))}>Split evenly</Button>
          <span className={cn('tabular ml-auto pr-10 text-[13px]', sum === 100 ? 'text-good' : 'text-warn')}>{Number.isFinite(sum) ? sum : '–'}% of 100%</span>
        </div>
      </div>
    </fieldset>
  )
}
