import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { fieldOf, groupFields, metricFields, type GroupField, type MetricField } from '@/query/fields'
import { takesGroup, type Draft, type Group, type KindName } from '../model/draft'
import { KeyInput } from './key-input'

/** The grouping of the chart, as its type requires. */
export function Groups({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { kind } = draft
  if (kind === 'treemap' || kind === 'sunburst') return <Levels legend={kind === 'sunburst' ? 'Rings, from the inside out' : 'Levels, outermost first'} levels={draft.levels} onChange={(levels) => onChange({ levels })} />
  if (kind === 'histogram') return <Bins draft={draft} onChange={onChange} />
  if (!takesGroup(kind)) return null
  return (
    <>
      <GroupForm label={kind === 'heatmap' ? 'Rows' : 'Split by'} group={draft.group} none={mayBeWhole(kind)} onChange={(group) => onChange({ group })} />
      {kind === 'heatmap' && <GroupForm label="Columns" group={draft.second} none={false} onChange={(second) => onChange({ second })} />}
    </>
  )
}

function mayBeWhole(kind: KindName): boolean {
  return kind.startsWith('time-')
}

const metadata = 'metadata'
const score = 'score'

function GroupForm({ label, group, none, onChange }: { label: string; group: Group | null; none: boolean; onChange: (group: Group | null) => void }) {
  const value = group === null ? '' : 'key' in group ? metadata : 'score' in group ? score : group.field
  const choose = (next: string) => onChange(next === '' ? null : next === metadata ? { key: '' } : next === score ? { score: '' } : { field: next as GroupField })
  return (
    <Field label={label}>
      {(control) => (
        <div className="flex gap-1.5">
          <Select {...control} className="flex-1" value={value} onChange={(event) => choose(event.target.value)}>
            <option value="">{none ? 'None' : 'Choose…'}</option>
            {Object.entries(groupFields).map(([field, name]) => <option key={field} value={field}>{name}</option>)}
            <option value={metadata}>Metadata value</option>
            <option value={score}>Score</option>
          </Select>
          {group !== null && 'key' in group && <KeyInput value={group.key} onChange={(key) => onChange({ key })} />}
          {group !== null && 'score' in group && <KeyInput field="score" value={group.score} onChange={(name) => onChange({ score: name })} />}
        </div>
      )}
    </Field>
  )
}

const mostLevels = 5

function Levels({ legend, levels, onChange }: { legend: string; levels: GroupField[]; onChange: (levels: GroupField[]) => void }) {
  const left = (Object.keys(groupFields) as GroupField[]).filter((field) => !levels.includes(field))
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-[13px] font-medium text-dim">{legend}</legend>
      {levels.map((level, index) => (
        <div key={level} className="flex gap-1">
          <Select aria-label={`Level ${index + 1}`} className="flex-1" value={level} onChange={(event) => onChange(levels.map((old, at) => (at === index ? (event.target.value as GroupField) : old)))}>
            {[level, ...left].map((field) => <option key={field} value={field}>{groupFields[field]}</option>)}
          </Select>
          {levels.length > 2 && <IconButton small label={`Remove level ${index + 1}`} onClick={() => onChange(levels.filter((_, at) => at !== index))}><X /></IconButton>}
        </div>
      ))}
      {levels.length < mostLevels && left[0] !== undefined && <Button small look="quiet" className="self-start" onClick={() => onChange([...levels, left[0] as GroupField])}><Plus /> Add level</Button>}
    </fieldset>
  )
}

function Bins({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Distribution of" className="flex-1">
        {(control) => (
          <Select {...control} value={draft.distribution} onChange={(event) => onChange({ distribution: event.target.value as MetricField, bin: '' })}>
            {Object.entries(metricFields).map(([field, label]) => <option key={field} value={field}>{label}</option>)}
          </Select>
        )}
      </Field>
      {draft.distribution === 'scores' && (
        <Field label="Score" className="flex-1">
          {() => <KeyInput field="score" value={draft.distributionScore} onChange={(distributionScore) => onChange({ distributionScore })} />}
        </Field>
      )}
      <Field label={fieldOf(draft.distribution).unit === 'ms' ? 'Bin width in ms' : 'Bin width'} className="w-32">
        {(control) => <Input {...control} inputMode="decimal" placeholder="Automatic" value={draft.bin} onChange={(event) => onChange({ bin: event.target.value.trim() })} />}
      </Field>
    </div>
  )
}
