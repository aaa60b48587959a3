import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { List, Plus, Save, SquareArrowRightEnter, Undo2, Waypoints } from 'lucide-react'
import { useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Combobox } from '@/ui/combobox'
import { useConfirm } from '@/ui/dialog'
import { Segments } from '@/ui/segments'
import { ReleaseLabels } from '@/ui/versions'
import { versionsQuery } from './data'
import type { Draft } from './editor/use-draft'
import { useView } from './use-view'

/** The toolbar of the graph: version, unsaved changes, and actions. */
export function GraphToolbar({ draft, latest, locked, onAdd, onSave, onOpenNode }: { draft: Draft; latest: number; locked: boolean; onAdd: () => void; onSave: () => void; onOpenNode: (name: string) => void }) {
  const { base, dirty } = draft
  const view = useView()
  const navigate = useNavigate({ from: '/$workspace/workflows/$workflow' })
  const workspace = useSession().workspace_id
  const versions = useQuery(versionsQuery(workspace, base.workflow_id))
  const confirm = useConfirm()
  const discard = async () => {
    const yes = await confirm({ title: 'Discard changes?', body: `All your changes since version ${base.version_number} will be lost.`, action: 'Discard', danger: true })
    if (yes) draft.discard()
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-1.5">
        <Combobox
          label="Version"
          className="h-7 min-w-0"
          value={String(base.version_number)}
          options={versionOptions(versions.data?.items ?? [], base.version_number)}
          onChange={(number) => void navigate({ search: (old) => ({ ...old, version: Number(number) === latest ? undefined : Number(number), run: undefined, node: undefined }) })}
        />
        <ReleaseLabels names={base.release_labels} />
        {base.version_number < latest && !dirty && <Badge tone="warn" title={`Version ${latest} is the latest`}>not latest</Badge>}
        <span className="min-w-0 max-w-72 truncate text-[13px] text-faint max-lg:hidden" title={base.commit_message ?? undefined}>{base.commit_message}</span>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Segments
            label="View as"
            value={view}
            options={[{ value: 'graph' as const, label: <><Waypoints aria-hidden /> Graph</> }, { value: 'list' as const, label: <><List aria-hidden /> List</> }]}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, view: next }) })}
          />
          <Button small look="quiet" onClick={() => void navigate({ search: (old) => ({ ...old, node: undefined, panel: 'inputs' }) })}>
            <SquareArrowRightEnter /> Inputs
          </Button>
          {!locked && <Button small onClick={onAdd}><Plus /> Add node</Button>}
          {dirty && (
            <>
              <IconButton small label="Undo" onClick={draft.undo}><Undo2 /></IconButton>
              <Button small look="quiet" onClick={() => void discard()}>Discard</Button>
              <Button small look="primary" onClick={onSave}><Save /> Save…</Button>
            </>
          )}
        </div>
      </div>
      {draft.problems.length > 0 && (
        <div role="alert" className="border-b border-line bg-bad-soft px-4 py-1.5 text-[13px] text-bad">
          <ul className="flex flex-col gap-0.5">
            {draft.problems.slice(0, 5).map(({ node, message }) => (
              <li key={`${node ?? ''} ${message}`}>
                {node !== null && <><button type="button" className="font-medium underline" onClick={() => onOpenNode(node)}>{node}</button>: </>}
                {message}
              </li>
            ))}
            {draft.problems.length > 5 && <li>{draft.problems.length - 5} more</li>}
          </ul>
        </div>
      )}
    </>
  )
}

function versionOptions(versions: { number: number; commit_message: string | null; release_labels: { name: string }[] }[], shown: number) {
  const options = versions.map(({ number, commit_message, release_labels }) => ({
    value: String(number),
    label: `Version ${number}`,
    note: release_labels.length > 0 ? release_labels.map(({ name }) => name).join(', ') : (commit_message ?? undefined)?.slice(0, 28),
  }))
  return options.some(({ value }) => value === String(shown)) ? options : [{ value: String(shown), label: `Version ${shown}` }, ...options]
}
