import { useState } from 'react'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
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
  return (
    <FormDialog
      size="narrow"
      title={replaces ? `Replace ${name}` : `Set ${name}`}
      description={replaces ? 'The current value will be overwritten.' : 'The value is stored encrypted and never shown again.'}
      action={replaces ? 'Replace' : 'Set'}
      busy={set.isPending}
      ready={value.trim() !== ''}
      onSubmit={() => set.mutate({ key: name, value: secret ? value : value.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
