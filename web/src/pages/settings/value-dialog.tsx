import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useSetEnvVar } from './env-vars'

/** Asks for the value of a variable. An existing value is replaced and never shown. */
export function ValueDialog({ name, label, secret, placeholder, replaces, onClose }: {
  name: string
  label: string
  secret: boolean
  placeholder?: string
  replaces: boolean
  onClose: () => void
}) {
  const [value, setValue] = useState('')
  const set = useSetEnvVar()
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    set.mutate({ key: name, value: secret ? value : value.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      size="narrow"
      title={replaces ? `Replace ${name}` : `Set ${name}`}
      description={replaces ? 'The current value will be overwritten.' : 'The value is stored encrypted and never shown again.'}
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="value-form" look="primary" busy={set.isPending} disabled={value.trim() === ''}>{replaces ? 'Replace' : 'Set'}</Button>
        </>
      }
    >
      <form id="value-form" onSubmit={submit}>
        <Field label={label} error={set.error?.message}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              // Not a password for this site: browsers must not autofill or save it.
              type={secret ? 'password' : 'text'}
              autoComplete={secret ? 'new-password' : 'off'}
              spellCheck={false}
              maxLength={8192}
              placeholder={placeholder}
              value={value}
              onChange={(event) => { setValue(event.target.value); set.reset() }}
              className="font-mono text-xs"
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
