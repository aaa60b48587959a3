import { useState } from 'react'
import { Field, Input } from './field'
import { FormDialog } from './form-dialog'
import type { LabelChanges, PlacedLabel } from './label-changes'

/** Adds a label to a version. Moving an existing label asks for confirmation. */
export function NewLabelDialog({ version, labels, changes: { create, move }, onClose }: { version: number; labels: PlacedLabel[]; changes: LabelChanges; onClose: () => void }) {
  const [name, setName] = useState('')
  const taken = labels.find((label) => label.name === name.trim())
  const submit = () => {
    if (taken === undefined) {
      create.mutate({ name: name.trim(), version }, { onSuccess: onClose })
      return
    }
    onClose()
    void move(taken, version)
  }
  return (
    <FormDialog
      size="narrow"
      title={`Add label to version ${version}`}
      action={taken ? `Move ${taken.name}…` : 'Create'}
      busy={create.isPending}
      ready={!(name.trim() === '' || taken?.version === version)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Label" error={create.error?.message} hint={taken ? (taken.version === version ? 'This label already points to this version.' : `This label currently points to version ${taken.version}. Saving moves it here.`) : 'Clients can fetch the version by its label. Examples: prod, staging.'}>
        {(control) => <Input {...control} autoFocus maxLength={255} list="known-labels" value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <datalist id="known-labels">{['prod', 'staging', 'dev', ...labels.map((label) => label.name)].filter((one, index, all) => all.indexOf(one) === index).map((one) => <option key={one} value={one} />)}</datalist>
    </FormDialog>
  )
}
