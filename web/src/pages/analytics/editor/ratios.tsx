import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { measureName, takesSeveral, type Draft, type Ratio } from '../model/draft'

/** Ratios of the totals of two measures, such as cost per token. */
export function RatioForm({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  if (!takesSeveral(draft) || draft.measures.length < 2) return null
  const { ratios, measures } = draft
  const replace = (index: number, change: Partial<Ratio>) => onChange({ ratios: ratios.map((old, at) => (at === index ? { ...old, ...change } : old)) })
  const choice = (index: number, side: 'above' | 'below', label: string) => (
    <Select aria-label={label} className="min-w-0 flex-1" value={ratios[index]?.[side]} onChange={(event) => replace(index, { [side]: Number(event.target.value) })}>
      {measures.map((measure, at) => <option key={at} value={at}>{measureName(measure)}</option>)}
    </Select>
  )
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-[13px] font-medium text-dim">Ratios of totals</legend>
      {ratios.map((ratio, index) => (
        <div key={index} className="flex flex-wrap items-center gap-1">
          <Input aria-label="Ratio name" maxLength={200} className="w-32 flex-1" value={ratio.label} onChange={(event) => replace(index, { label: event.target.value })} />
          {choice(index, 'above', 'Numerator')} <span aria-hidden>/</span> {choice(index, 'below', 'Denominator')}
          <IconButton small label="Remove ratio" onClick={() => onChange({ ratios: ratios.filter((_, at) => at !== index) })}><X /></IconButton>
        </div>
      ))}
      <Button small look="quiet" className="self-start" onClick={() => onChange({ ratios: [...ratios, { label: 'Ratio', above: 0, below: 1 }] })}><Plus /> Add ratio</Button>
    </fieldset>
  )
}
