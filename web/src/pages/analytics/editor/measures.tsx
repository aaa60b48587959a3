import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '@/ui/button'
import { Input, Select } from '@/ui/field'
import { metricFields, type MetricField } from '@/query/fields'
import { metrics, type Metric } from '../model/definition'
import { measuresScore, requestsMeasure, takesSeveral, type Draft, type Measure } from '../model/draft'
import { KeyInput } from './key-input'

const mostMeasures = 20

/** The measures: one, or several if the chart type supports it. */
export function Measures({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const several = takesSeveral(draft)
  const shown = several ? draft.measures : draft.measures.slice(0, 1)
  const replace = (index: number, measure: Measure) => onChange({ measures: draft.measures.map((old, at) => (at === index ? measure : old)) })
  const add = () => {
    const first = draft.measures[0] ?? requestsMeasure
    // Counts cannot be combined, so a second measure changes the first one.
    const known = draft.measures.map((one) => (one.metric === 'count' || one.metric === 'distinct_count' ? { ...one, metric: 'sum' as const } : one))
    onChange({ measures: [...known, { ...first, metric: 'avg', field: 'latency_ms' }] })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium text-dim">{several && shown.length > 1 ? 'Measures' : 'Measure'}</legend>
      {shown.map((measure, index) => (
        <div key={index} className="flex items-start gap-1">
          <MeasureForm measure={measure} alone={shown.length === 1} onChange={(next) => replace(index, next)} />
          {shown.length > 1 && (
            <IconButton small label="Remove measure" onClick={() => onChange({ measures: draft.measures.filter((_, at) => at !== index), ratios: [] })}>
              <X />
            </IconButton>
          )}
        </div>
      ))}
      {several && shown.length < mostMeasures && <Button small look="quiet" className="self-start" onClick={add}><Plus /> Add measure</Button>}
    </fieldset>
  )
}

function MeasureForm({ measure, alone, onChange }: { measure: Measure; alone: boolean; onChange: (measure: Measure) => void }) {
  const { metric } = measure
  const choices = (Object.keys(metrics) as Metric[]).filter((name) => alone || (name !== 'count' && name !== 'distinct_count'))
  return (
    <div className="flex min-w-0 flex-1 flex-wrap gap-1.5">
      <Select aria-label="Aggregation" className="flex-1" value={metric} onChange={(event) => onChange({ ...measure, metric: event.target.value as Metric })}>
        {choices.map((name) => <option key={name} value={name}>{metrics[name]}</option>)}
      </Select>
      {metric === 'distinct_count' && <KeyInput value={measure.key} onChange={(key) => onChange({ ...measure, key })} />}
      {metric !== 'count' && metric !== 'distinct_count' && (
        <Select aria-label="Field" className="flex-1" value={measure.field} onChange={(event) => onChange({ ...measure, field: event.target.value as MetricField })}>
          {Object.entries(metricFields).map(([field, label]) => <option key={field} value={field}>{label}</option>)}
        </Select>
      )}
      {measuresScore(measure) && <KeyInput field="score" value={measure.score} onChange={(score) => onChange({ ...measure, score })} />}
      {metric === 'percentile' && (
        <Input aria-label="Percentile" type="number" min={0} max={100} step="any" className="w-18" value={measure.percentile} onChange={(event) => onChange({ ...measure, percentile: event.target.valueAsNumber })} />
      )}
    </div>
  )
}
