import { useState, type FormEvent } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { Field, Input } from './field'
import type { LabelChanges, PlacedLabel } from './label-changes'

/** Adds a label to a version. Moving an existing label asks for confirmation. */
export function NewLabelDialog({ version, labels, changes: { create, move }, onClose }: { version: number; labels: PlacedLabel[]; changes: LabelChanges; onClose: () => void }) {
  const [name, setName] = useState('')
  const taken = labels.find((label) => label.name === name.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (taken === undefined) {
      create.mutate({ name: name.trim(), version }, { onSuccess: onClose })
      return
    }
    onClose()
    void move(taken, version)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title={`Add label to version ${version}`}
      footer={<Button look="primary" type="submit" form="new-label" busy={create.isPending} disabled={name.trim() === '' || taken?.version === version}>{taken ? `Move ${taken.name}…` : 'Create'}</Button>}
    >
      <form id="new-label" onSubmit={submit}>
        <Field label="Label" error={create.error?.message} hint={taken ? (taken.version === version ? 'This label already points to this version.' : `This label currently points to version ${taken.version}. Saving moves it here.`) : 'Clients can fetch the version by its label. Examples: prod, staging.'}>
          {(control) => <Input {...control} autoFocus maxLength={255} list="known-labels" value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <datalist id="known-labels">{['prod', 'staging', 'dev', ...labels.map((label) => label.name)].filter((one, index, all) => all.indexOf(one) === index).map((one) => <option key={one} value={one} />)}</datalist>
      </form>
    </Dialog>
  )
}
