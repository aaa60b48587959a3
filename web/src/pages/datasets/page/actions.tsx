import { Link, useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, FlaskConical, PencilLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { isDraft, type Dataset } from '@/dataset/data'
import { cn } from '@/lib/cn'
import { Button, buttonClass, IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/ui/menu'
import { useCreateDraft, useDeleteGroup } from '../actions'
import { FileButton } from '../import/import-dialog'
import { useRunFilter } from './run-filter'

const ExportDialog = lazy(() => import('@/export/export-dialog').then((module) => ({ default: module.ExportDialog })))

/** The actions on a dataset. */
export function DatasetActions({ group, name, versions, shown, onFile, onShow }: {
  group: number
  name: string
  versions: Dataset[]
  shown: Dataset
  onFile: (file: File) => void
  onShow: (dataset: number) => void
}) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const navigate = useNavigate()
  const mayEdit = useMay('DATASET_EDIT')
  const mayDelete = useMay('DATASET_DELETE')
  const mayEvaluate = useMay('REPORT_CREATE')
  const askToDelete = useDeleteGroup()
  const runFilter = useRunFilter(group, onShow)
  const [exporting, setExporting] = useState(false)
  const draft = versions.find(isDraft)
  const numbered = versions.some((version) => !isDraft(version))
  const remove = async () => {
    if (await askToDelete({ id: group, name })) await navigate({ to: '/$workspace/datasets', params: { workspace }, search: {} })
  }
  return (
    <>
      {mayEdit && <FileButton onFile={onFile} />}
      {mayEdit && !isDraft(shown) && (draft ? <Button onClick={() => onShow(draft.id)}><PencilLine /> Edit draft</Button> : <NewDraft group={group} shown={shown} onShow={onShow} />)}
      {mayEvaluate && numbered && (
        <Link to="/$workspace/evaluations" params={{ workspace }} search={{ create: group }} className={cn(buttonClass(), 'max-md:hidden')}><FlaskConical /> Evaluate</Link>
      )}
      <Menu trigger={<IconButton label={`Actions for ${name}`}><Ellipsis /></IconButton>}>
        {/* On narrow screens there is no room for the button. */}
        {mayEvaluate && numbered && <MenuLink><Link to="/$workspace/evaluations" params={{ workspace }} search={{ create: group }} className="md:hidden"><FlaskConical /> Evaluate</Link></MenuLink>}
        <MenuItem onSelect={() => setExporting(true)}><Download /> Export…</MenuItem>
        <MenuItem onSelect={() => void navigator.clipboard.writeText(String(group))}>Copy dataset group ID</MenuItem>
        <MenuItem onSelect={() => void navigator.clipboard.writeText(String(shown.id))}>Copy version ID</MenuItem>
        {mayEdit && shown.filter_params && <MenuItem onSelect={() => void runFilter(shown, draft)}>Run filter again…</MenuItem>}
        {mayEdit && <MenuItem onSelect={() => void navigate({ to: '/$workspace/requests', params: { workspace }, search: {} })}>Add logged requests</MenuItem>}
        {mayDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove()}>Delete…</MenuItem>
          </>
        )}
      </Menu>
      {exporting && <Suspense><ExportDialog source={exportSource(workspace_id, group, shown)} noun="rows" onClose={() => setExporting(false)} /></Suspense>}
    </>
  )
}

function exportSource(workspace: number, group: number, { id, column_names: names }: Dataset) {
  // Names with commas cannot be listed in a parameter.
  return { path: `/api/public/v2/datasets/${String(id)}/export`, workspace, columns: names.some((name) => name.includes(',')) ? [] : names, scheduled: { source: 'dataset' as const, query: JSON.stringify({ dataset_group_id: group }) } }
}

function NewDraft({ group, shown, onShow }: { group: number; shown: Dataset; onShow: (dataset: number) => void }) {
  const create = useCreateDraft(group)
  const begin = (source: Dataset | null) => create.mutate(source, { onSuccess: onShow })
  return (
    <Menu trigger={<Button busy={create.isPending}><PencilLine /> New draft</Button>}>
      <MenuItem onSelect={() => begin(shown)}>From version {shown.version_number}</MenuItem>
      <MenuItem onSelect={() => begin(null)}>Empty draft</MenuItem>
    </Menu>
  )
}
