import { useState } from 'react'
import { envNameProblem } from '@/lib/env-name'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import type { EnvVar } from '../data'
import { useSetEnvVar } from './env-vars'

/** Asks for a new variable, or for a new value. */
export function VariableDialog({ tool, variable, onClose }: { tool: number; variable: EnvVar | null; onClose: () => void }) {
  const [key, setKey] = useState(variable?.key ?? '')
  const [value, setValue] = useState('')
  const set = useSetEnvVar(tool)
  const replaces = variable !== null && !variable.is_empty
  const wrong = envNameProblem(key)
  return (
    <FormDialog
      size="narrow"
      title={variable === null ? 'New variable' : replaces ? `Replace ${variable.key}` : `Set ${variable.key}`}
      description={replaces ? 'The current value will be overwritten.' : 'The value is stored encrypted and never shown again.'}
      action={variable === null ? 'Add' : replaces ? 'Replace' : 'Set'}
      busy={set.isPending}
      ready={!(key === '' || wrong !== null || (variable !== null && value === ''))}
      onSubmit={() => set.mutate({ there: variable, key, value }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {variable === null && (
        <Field label="Name" error={wrong ?? set.error?.message}>
          {(control) => <Input {...control} autoFocus maxLength={255} spellCheck={false} placeholder="DEPOT_TOKEN" className="font-mono text-xs" value={key} onChange={(event) => { setKey(event.target.value.trim()); set.reset() }} />}
        </Field>
      )}
      <Field label="Value" hint={variable === null ? 'Optional. Code does not see variables without a value.' : undefined} error={variable === null ? null : set.error?.message}>
        {/* Not a password for this site: browsers must not autofill or save it. */}
        {(control) => <Input {...control} type="password" autoComplete="new-password" autoFocus={variable !== null} maxLength={8192} spellCheck={false} className="font-mono text-xs" value={value} onChange={(event) => setValue(event.target.value)} />}
      </Field>
    </FormDialog>
  )
}
