import { useState } from 'react'
import { Combobox } from '@/ui/combobox'
import { Field, Input } from '@/ui/field'
import { useDatasetGroups, type DatasetGroup } from './groups'

/** An existing dataset, or the name of a new one. */
export type GroupChoice = { kind: 'new'; name: string } | { kind: 'existing'; group: DatasetGroup }

export function isChosen(choice: GroupChoice): boolean {
  return choice.kind === 'existing' || choice.name.trim() !== ''
}

/** Selects an existing dataset or names a new one. */
export function GroupPicker({ choice, onChange }: { choice: GroupChoice; onChange: (choice: GroupChoice) => void }) {
  const [search, setSearch] = useState('')
  const groups = useDatasetGroups(search)
  const options = groups.map((group) => ({ value: String(group.id), label: group.name }))
  const chosen = choice.kind === 'existing' ? choice.group : null
  if (chosen !== null && !groups.some(({ id }) => id === chosen.id)) options.unshift({ value: String(chosen.id), label: chosen.name })
  const pick = (value: string) => {
    const group = groups.find(({ id }) => String(id) === value)
    if (group) onChange({ kind: 'existing', group })
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <span className="text-[13px] font-medium text-dim">Dataset</span>
        <Combobox label="Dataset" placeholder="Choose a dataset…" className="w-full" options={options} value={chosen === null ? null : String(chosen.id)} onChange={pick} onSearch={setSearch} />
      </div>
      <Field label="Or create a new one" hint="Created when you add the first row">
        {(control) => <Input {...control} autoFocus placeholder="Dataset name" value={choice.kind === 'new' ? choice.name : ''} onChange={(event) => onChange({ kind: 'new', name: event.target.value })} />}
      </Field>
    </div>
  )
}
