import { Braces, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { envNameProblem } from '@/lib/env-name'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Field, Input, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { type EnvVar, useDeleteEnvVar, useEnvVars, useSetEnvVar } from './env-vars'
import { Section, useNewWindow } from './section'
import { ValueDialog } from './value-dialog'

const whyNot = 'You do not have permission to manage environment variables'

export function EnvironmentSection() {
  const manages = useMay('MANAGE_ENV_VARS')
  const [creating, setCreating] = useNewWindow()
  const [replaced, setReplaced] = useState<EnvVar | null>(null)
  const list = useEnvVars()
  const create = (look: 'primary' | 'plain') => <Button look={look} disabled={!manages} title={manages ? undefined : whyNot} onClick={() => setCreating(true)}><Plus /> New variable</Button>
  return (
    <Section id="environment" actions={create('primary')}>
      {list.isPending && <Loading />}
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className="rounded-lg border border-line bg-surface">
          {list.data.length > 0 && <VariableTable variables={list.data} manages={manages} onReplace={setReplaced} />}
          {list.data.length === 0 && (
            <EmptyState icon={<Braces />} title="No variables yet" action={create('plain')}>
              Store values that your code needs but must not contain, such as access tokens. In JavaScript, read a variable with{' '}
              <code className="font-mono text-xs">process.env.NAME</code>. A tool can override a variable with its own value.
            </EmptyState>
          )}
        </div>
      )}
      {!manages && <p className="text-[13px] text-faint">You do not have permission to change variables.</p>}
      {creating && manages && <NewVariableDialog taken={list.data?.map(({ key }) => key) ?? []} onClose={() => setCreating(false)} />}
      {replaced && <ValueDialog name={replaced.key} label="New value" secret replaces={!replaced.is_empty} onClose={() => setReplaced(null)} />}
    </Section>
  )
}

function VariableTable({ variables, manages, onReplace }: { variables: EnvVar[]; manages: boolean; onReplace: (variable: EnvVar) => void }) {
  const remove = useDeleteEnvVar()
  return (
    <SimpleTable
      label="Environment variables"
      rows={variables}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ key }) => <code className="font-mono text-[13px]">{key}</code> },
        { header: 'Value', cell: ValueHint },
        { header: 'Updated', cell: ({ updated_at }) => <Ago at={updated_at} />, className: 'hidden sm:table-cell text-dim' },
        {
          header: <span className="sr-only">Actions</span>,
          className: 'w-12 text-right',
          cell: (variable) => manages && (
            <Menu trigger={<IconButton small label={`Actions for ${variable.key}`}><Ellipsis /></IconButton>}>
              <MenuItem onSelect={() => onReplace(variable)}><Pencil /> {variable.is_empty ? 'Set value' : 'Replace value'}</MenuItem>
              <MenuItem danger onSelect={() => void remove(variable, 'Code that uses it will no longer find it.')}><Trash2 /> Delete</MenuItem>
            </Menu>
          ),
        },
      ]}
    />
  )
}

function ValueHint({ is_empty, value_suffix }: EnvVar) {
  if (is_empty) return <Badge tone="warn">no value</Badge>
  return <span className="text-dim">{value_suffix ? <>ends in <code className="font-mono text-xs">{value_suffix}</code></> : 'set'}</span>
}

function NewVariableDialog({ taken, onClose }: { taken: string[]; onClose: () => void }) {
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const set = useSetEnvVar()
  const wrong = taken.includes(key) ? 'This variable already exists' : envNameProblem(key)
  const problem = wrong ?? set.error?.message
  return (
    <FormDialog
      title="New variable"
      description="The value is stored encrypted and never shown again."
      action="Add"
      busy={set.isPending}
      ready={key !== '' && wrong === null}
      onSubmit={() => set.mutate({ key, value }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label="Name" error={problem}>
        {(control) => <Input {...control} autoFocus required maxLength={255} spellCheck={false} placeholder="DEPOT_TOKEN" value={key} onChange={(event) => { setKey(event.target.value.trim()); set.reset() }} className="font-mono text-xs" />}
      </Field>
      <Field label="Value" hint="Optional. Code does not see variables without a value.">
        {(control) => <Textarea {...control} maxLength={8192} spellCheck={false} autoComplete="off" value={value} onChange={(event) => setValue(event.target.value)} className="font-mono text-xs" />}
      </Field>
    </FormDialog>
  )
}
