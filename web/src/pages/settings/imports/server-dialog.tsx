import { useState } from 'react'
import { Checkbox, Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { useCreateFromServer } from './import-data'
import { conflicts, type ServerRequest as Request, serverParts } from './import-words'

/** Asks for a server, and what to import from it. */
export function ServerDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: number) => void }) {
  const create = useCreateFromServer()
  const [address, setAddress] = useState('https://api.promptlayer.com')
  const [key, setKey] = useState('')
  const [parts, setParts] = useState<Request['parts']>(serverParts.map(({ value }) => value))
  const [conflict, setConflict] = useState<NonNullable<Request['conflict']>>('skip')
  const toggle = (part: Request['parts'][number], on: boolean) => setParts(serverParts.map(({ value }) => value).filter((value) => (value === part ? on : parts.includes(value))))
  const [since, setSince] = useState('')
  const toast = useToast()
  const ready = address.trim() !== '' && key.trim() !== '' && parts.length > 0
  const send = () => create.mutate({ address: address.trim(), api_key: key.trim(), parts, conflict, ...(since !== '' && parts.includes('requests') && { since: new Date(since).toISOString() }) }, {
    onSuccess: ({ id, problem }) => {
      onMade(id)
      if (problem !== null) toast.failed(problem)
    },
  })
  return (
    <FormDialog
      title="Import from a server"
      description="Reads PromptLayer, or another installation of this program, over its public API. You can review the changes before anything is imported."
      action="Check"
      busy={create.isPending}
      ready={ready}
      error={create.error}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label="Address">{(control) => <Input {...control} autoFocus type="url" maxLength={1000} value={address} onChange={(event) => setAddress(event.target.value)} />}</Field>
      <Field label="API key" hint="Stored encrypted, never shown, and deleted when the import ends.">
        {(control) => <Input {...control} type="password" autoComplete="off" maxLength={1000} value={key} onChange={(event) => setKey(event.target.value)} />}
      </Field>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-[13px] font-medium text-dim">Import</legend>
        {serverParts.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-2"><Checkbox checked={parts.includes(value)} onChange={(event) => toggle(value, event.target.checked)} /> {label}</label>
        ))}
      </fieldset>
      <Field label="If the name exists" hint={conflicts.find(({ value }) => value === conflict)?.about}>
        {(control) => (
          <Select {...control} value={conflict} onChange={(event) => setConflict(conflicts.find(({ value }) => value === event.target.value)?.value ?? 'skip')}>
            {conflicts.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </Select>
        )}
      </Field>
      {parts.includes('requests') && (
        <Field label="Requests since" hint="Leave it empty to import all requests.">
          {(control) => <Input {...control} type="datetime-local" value={since} onChange={(event) => setSince(event.target.value)} />}
        </Field>
      )}
    </FormDialog>
  )
}
