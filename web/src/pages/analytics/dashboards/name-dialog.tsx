import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'

/** Asks for the name of a dashboard. */
export function NameDialog({ title, name = '', action, busy, onName, onClose }: { title: string; name?: string; action: string; busy: boolean; onName: (name: string) => void; onClose: () => void }) {
  const [value, setValue] = useState(name)
  const ready = value.trim() !== ''
  const submit = () => {
    if (ready) onName(value.trim())
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      size="narrow"
      footer={<><Button onClick={onClose}>Cancel</Button><Button look="primary" busy={busy} disabled={!ready} onClick={submit}>{action}</Button></>}
    >
      <form onSubmit={(event) => { event.preventDefault(); submit() }}>
        <Field label="Name" hint="Visible to everyone in the workspace">{(control) => <Input {...control} autoFocus maxLength={255} value={value} onChange={(event) => setValue(event.target.value)} />}</Field>
      </form>
    </Dialog>
  )
}
