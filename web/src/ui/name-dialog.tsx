import { useState } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { Field, Input } from './field'

/** Asks for a name, and shows the server's error. */
export function NameDialog({ title, description, label, initial = '', action, onSave, onClose }: {
  title: string
  description?: string
  label: string
  initial?: string
  /** The label of the button. */
  action: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const [name, setName] = useState(initial)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
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
    <Dialog
      open
      size="narrow"
      title={title}
      description={description}
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="name-form" look="primary" busy={busy} disabled={name.trim() === '' || name.trim() === initial}>{action}</Button>
        </>
      }
    >
      <form id="name-form" onSubmit={(event) => void submit(event)}>
        <Field label={label} error={error}>
          {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => { setName(event.target.value); setError(null) }} />}
        </Field>
      </form>
    </Dialog>
  )
}
