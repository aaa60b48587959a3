import { Plus, X } from 'lucide-react'
import { isObject } from '@/lib/json'
import { ModelChoice } from '@/template/model-choice'
import { Button, IconButton } from '@/ui/button'
import { Field, Input, Select, Switch } from '@/ui/field'
import { FieldControl, Group, NumberInput, type FormProps } from './field-control'
import { writeField } from './fields'
import { judgeFields } from './judge-fields'
import { newScale, readScale, type Choice, type Scale } from './scale'
import type { Configuration } from './step-type'

/** Asks a model for a verdict, on a scale and with a reason if wanted. */
export function JudgeForm(props: FormProps) {
  const { configuration, onChange, scope } = props
  const set = (name: string, value: unknown) => onChange(writeField(configuration, { name }, value))
  const scale = readScale(configuration.scale) ?? { type: 'pass_fail' }
  return (
    <>
      {judgeFields.filter(({ name }) => name !== 'reason').map((spec) => <FieldControl key={spec.name} spec={spec} {...props} />)}
      <ScaleInput scale={scale} locked={scope.locked} onChange={(next) => set('scale', next.type === 'pass_fail' ? undefined : next)} />
      <Switch label="Ask for a reason" disabled={scope.locked} checked={configuration.reason === true} onChange={(on) => set('reason', on || undefined)} />
      <JudgeModel model={isObject(configuration.model) ? configuration.model : {}} locked={scope.locked} onChange={(model) => set('model', model)} />
    </>
  )
}

function JudgeModel({ model, locked, onChange }: { model: Configuration; locked: boolean; onChange: (model: Configuration | undefined) => void }) {
  const name = String(model.name ?? '')
  return (
    <Group label="Model">
      <div className="flex items-center gap-1">
        <ModelChoice label="Model" className="min-w-0 flex-1" placeholder="Default model" disabled={locked} provider={String(model.provider ?? '')} name={name} onChange={(provider, chosen) => onChange({ provider, name: chosen })} />
        {name !== '' && !locked && <IconButton small label="Use the default model" onClick={() => onChange(undefined)}><X /></IconButton>}
      </div>
    </Group>
  )
}

const scales: { value: Scale['type']; label: string; hint: string }[] = [
  { value: 'pass_fail', label: 'True or false', hint: 'The score is the percentage of true.' },
  { value: 'range', label: 'Number in a range', hint: 'Counts from 0 for the minimum to 100 for the maximum.' },
  { value: 'choices', label: 'Named choices', hint: 'Each choice counts as its score, from 0 to 100.' },
]

function ScaleInput({ scale, locked, onChange }: { scale: Scale; locked: boolean; onChange: (scale: Scale) => void }) {
  return (
    <>
      <Field label="Scale" hint={scales.find(({ value }) => value === scale.type)?.hint}>
        {(control) => (
          <Select {...control} disabled={locked} value={scale.type} onChange={(event) => onChange(newScale(event.target.value as Scale['type']))}>
            {scales.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      {scale.type === 'range' && (
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Minimum">{(control) => <NumberInput {...control} disabled={locked} value={scale.min} onNumber={(min) => min !== undefined && onChange({ ...scale, min })} />}</Field>
          <Field label="Maximum">{(control) => <NumberInput {...control} disabled={locked} value={scale.max} onNumber={(max) => max !== undefined && onChange({ ...scale, max })} />}</Field>
          <Switch label="Allow decimals" disabled={locked} checked={scale.decimals === true} onChange={(decimals) => onChange({ type: 'range', min: scale.min, max: scale.max, ...(decimals ? { decimals } : {}) })} />
        </div>
      )}
      {scale.type === 'choices' && <ChoiceList choices={scale.choices} locked={locked} onChange={(choices) => onChange({ type: 'choices', choices })} />}
    </>
  )
}

function ChoiceList({ choices, locked, onChange }: { choices: Choice[]; locked: boolean; onChange: (choices: Choice[]) => void }) {
  return (
    <div role="group" aria-label="Choices" className="flex flex-col gap-1.5">
      {choices.map((choice, index) => (
        <div key={index} className="grid grid-cols-[1fr_auto_auto] items-center gap-1">
          <Input aria-label={`Choice ${index + 1}`} disabled={locked} required maxLength={500} value={choice.name} onChange={(event) => onChange(choices.with(index, { ...choice, name: event.target.value }))} />
          <NumberInput aria-label={`Score of choice ${index + 1}`} disabled={locked} value={choice.score} onNumber={(score) => score !== undefined && onChange(choices.with(index, { ...choice, score }))} />
          <IconButton small label={`Remove choice ${index + 1}`} disabled={locked || choices.length <= 2} onClick={() => onChange(choices.toSpliced(index, 1))}><X /></IconButton>
        </div>
      ))}
      {!locked && <Button small look="quiet" className="self-start" onClick={() => onChange([...choices, { name: '', score: 0 }])}><Plus /> Add choice</Button>}
    </div>
  )
}
