import { Link } from '@tanstack/react-router'
import { Braces, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import type { EnvVar } from '../data'
import { useDeleteEnvVar, useEnvVars } from './env-vars'
import { VariableDialog } from './variable-dialog'

/** The variables that only the code of this tool sees. Values are never shown. */
export function EnvironmentTab({ tool }: { tool: number }) {
  const workspace = String(useSession().workspace_id)
  const manages = useMay('MANAGE_ENV_VARS')
  const variables = useEnvVars(tool)
  const remove = useDeleteEnvVar(tool)
  const [open, setOpen] = useState<EnvVar | 'new' | null>(null)
  const add = <Button disabled={!manages} title={manages ? undefined : 'You do not have permission to manage environment variables'} onClick={() => setOpen('new')}><Plus /> New variable</Button>
  if (variables.isError) return <ErrorState error={variables.error} retry={() => void variables.refetch()} />
  if (variables.data === undefined) return <Loading />
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-[13px] text-dim">
          Available to the code of this tool, in addition to{' '}
          <Link to="/$workspace/settings/$section" params={{ workspace, section: 'environment' }} search={{}} className="text-accent-ink underline">the variables of the workspace</Link>. Variables set here take precedence.
        </p>
        {variables.data.length > 0 && add}
      </div>
      <div className="rounded-lg border border-line bg-surface">
        {variables.data.length === 0 ? (
          <EmptyState icon={<Braces />} title="No variables yet" action={add}>
            Store values that your code needs but must not contain, such as access tokens. In JavaScript, read a variable with <code className="font-mono text-xs">process.env.NAME</code>.
          </EmptyState>
        ) : (
          <SimpleTable
            label="Environment variables"
            rows={variables.data}
            rowKey={({ id }) => id}
            columns={[
              { header: 'Name', cell: ({ key }) => <code className="font-mono text-[13px]">{key}</code> },
              { header: 'Value', cell: ValueHint },
              { header: 'Updated', className: 'hidden text-dim sm:table-cell', cell: ({ updated_at }) => <Ago at={updated_at} /> },
              {
                header: <span className="sr-only">Actions</span>,
                className: 'w-12 text-right',
                cell: (variable) => manages && (
                  <Menu trigger={<IconButton small label={`Actions for ${variable.key}`}><Ellipsis /></IconButton>}>
                    <MenuItem onSelect={() => setOpen(variable)}><Pencil /> {variable.is_empty ? 'Set value' : 'Replace value'}</MenuItem>
                    <MenuItem danger onSelect={() => void remove(variable)}><Trash2 /> Delete</MenuItem>
                  </Menu>
                ),
              },
            ]}
          />
        )}
      </div>
      {open !== null && <VariableDialog tool={tool} variable={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function ValueHint({ is_empty, value_suffix }: EnvVar) {
  if (is_empty) return <Badge tone="warn">no value</Badge>
  return <span className="text-dim">{value_suffix ? <>ends in <code className="font-mono text-xs">{value_suffix}</code></> : 'set'}</span>
}
