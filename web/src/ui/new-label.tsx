import { useState, type FormEvent } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import type { Prompt } from '../data'
import { useLabelActions, type PlacedLabel } from './label-actions'

/** Puts a label on a version. A name that is taken is moved, which is asked first. */
export function NewLabelDialog({ prompt, version, labels, onClose }: { prompt: Prompt; version: number; labels: PlacedLabel[]; onClose: () => void }) {
  const { create, move } = useLabelActions(prompt)
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
      title={`Label version ${version}`}
      footer={<Button look="primary" type="submit" form="new-label" busy={create.isPending} disabled={name.trim() === '' || taken?.version === version}>{taken ? `Move ${taken.name}…` : 'Create'}</Button>}
    >
      <form id="new-label" onSubmit={submit}>
        <Field label="Label" error={create.error?.message} hint={taken ? (taken.version === version ? 'It points at this version already.' : `It points at version ${taken.version} now and would leave it.`) : 'Programs fetch the version by it, such as prod or staging.'}>
          {(control) => <Input {...control} autoFocus maxLength={255} list="known-labels" value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <datalist id="known-labels">{['prod', 'staging', 'dev', ...labels.map((label) => label.name)].filter((one, index, all) => all.indexOf(one) === index).map((one) => <option key={one} value={one} />)}</datalist>
      </form>
    </Dialog>
  )
}
