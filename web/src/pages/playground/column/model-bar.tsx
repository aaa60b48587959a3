import { Link } from '@tanstack/react-router'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { ModelForm } from '@/template/editor/model-form'
import { readModel } from '@/template/types'
import { Button, IconButton } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { useConfigured } from '../data'
import { ModelChoice } from '@/template/model-choice'
import { chooseModel, setMetadata, withModel } from '../model/session'
import type { ColumnProps } from './column-props'

/** The model of a column, and a summary of its parameters. */
export function ModelBar({ column, position, playground: { change } }: Pick<ColumnProps, 'column' | 'position' | 'playground'>) {
  const [open, setOpen] = useState(false)
  const model = readModel(column.metadata)
  const parameters = Object.entries(model?.parameters ?? {})
  const set = (metadata: Record<string, unknown> | null) => change((old) => setMetadata(old, column.id, metadata))
  return (
    <>
      <div className="flex items-center gap-1.5">
        <ModelChoice
          label={`Model of column ${position}`}
          className="h-7 min-w-0 flex-1 shrink text-[13px]"
          provider={model?.provider ?? ''}
          name={model?.name ?? ''}
          onChange={(provider, name) => set(chooseModel(column.metadata, provider, name))}
        />
        <IconButton small look="plain" label={`Parameters of column ${position}`} onClick={() => setOpen(true)}><SlidersHorizontal /></IconButton>
      </div>
      {parameters.length > 0 && (
        <p className="truncate font-mono text-xs text-faint" title={parameters.map(words).join('\n')}>{parameters.map(words).join(' · ')}</p>
      )}
      {model !== null && model.name !== '' && <NoKey provider={model.provider} />}
      <Dialog open={open} onOpenChange={setOpen} size="narrow" title={`Model of column ${position}`} footer={<Button look="primary" onClick={() => setOpen(false)}>Done</Button>}>
        <ModelForm value={model} onChange={(next) => set(withModel(column.metadata, next))} />
      </Dialog>
    </>
  )
}

function words([name, value]: [string, unknown]): string {
  return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

function NoKey({ provider }: { provider: string }) {
  const { workspace_id: workspace } = useSession()
  if (useConfigured(provider) !== false) return null
  return (
    <p className="text-xs text-warn">
      No API key for {provider}.{' '}
      <Link to="/$workspace/settings/$section" params={{ workspace: String(workspace), section: 'providers' }} search={{}} className="underline">Add a key</Link>
    </p>
  )
}
