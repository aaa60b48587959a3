import { useState } from 'react'
import { Field, Input } from './field'
import { FormDialog } from './form-dialog'

/** Asks for a name, and shows the server's error. */
export function NameDialog({ title, description, label = 'Name', hint, initial = '', suggested = '', action, onSave, onClose }: {
  title: string
  description?: string
  label?: string
  hint?: string
  /** The name to change. */
  initial?: string
  /** The name to start with, which may be kept. */
  suggested?: string
  /** The label of the button. */
  action: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const [name, setName] = useState(initial || suggested)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      await onSave(name.trim())
      onClose()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
    }
  }
  return (
    <FormDialog size="narrow" title={title} description={description} action={action} busy={busy} ready={name.trim() !== '' && name.trim() !== initial} onSubmit={() => void submit()} onClose={onClose}>
      <Field label={label} hint={hint} error={error}>
        {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => { setName(event.target.value); setError(null) }} />}
      </Field>
    </FormDialog>
  )
}
