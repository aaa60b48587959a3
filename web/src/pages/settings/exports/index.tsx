import { Ban, CalendarClock, Ellipsis, History, Pencil, Play, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { count, percent } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { NotAllowed, Section, useNewWindow, useSectionSearch } from '../section'
import { useExportActions, useExports } from './export-data'
import { EditExportDialog, NewExportDialog } from './export-dialog'
import { readQuery, scheduleWords, type SavedExport } from './export-form'
import { RunsDialog, runTones } from './runs'

export function ExportsSection() {
  const manages = useMay('MANAGE_DATA')
  const [, setCreating] = useNewWindow()
  if (!manages) return <Section id="exports"><NotAllowed permission="MANAGE_DATA">Only administrators can see and change saved exports.</NotAllowed></Section>
  return (
    <Section id="exports" actions={<Button look="primary" onClick={() => setCreating(true)}><Plus /> New export</Button>}>
      <Exports />
    </Section>
  )
}

function Exports() {
  const [search, change] = useSectionSearch()
  const [edited, setEdited] = useState<SavedExport | null>(null)
  const list = useExports()
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const { exports, folders } = list.data
  const closeNew = () => change({ new: undefined, source: undefined, query: undefined }, true)
  const shown = exports.find(({ id }) => id === search.export)
  return (
    <>
      <div className="rounded-lg border border-line bg-surface">
        {exports.length > 0 ? <ExportTable exports={exports} onEdit={setEdited} /> : <NoExports onNew={() => change({ new: true })} />}
      </div>
      {search.new === true && <NewExportDialog start={{ source: search.source ?? 'requests', query: readQuery(search.query) }} folders={folders} onClose={closeNew} />}
      {edited && <EditExportDialog saved={edited} folders={folders} onClose={() => setEdited(null)} />}
      {shown && <RunsDialog saved={shown} onClose={() => change({ export: undefined, page: undefined }, true)} />}
    </>
  )
}

function NoExports({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState icon={<CalendarClock />} title="No exports" action={<Button onClick={onNew}><Plus /> New export</Button>}>
      A saved export writes requests, traces, a dataset, results of an evaluation or the audit log to a folder of the server or to an S3-compatible bucket, once or every hour, day or week.
    </EmptyState>
  )
}

interface RowActions {
  onEdit: (saved: SavedExport) => void
}

function ExportTable({ exports, onEdit }: { exports: SavedExport[] } & RowActions) {
  return (
    <SimpleTable
      label="Exports"
      rows={exports}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      columns={[
        { header: 'Name', cell: (saved) => <NameCell saved={saved} onEdit={onEdit} />, className: 'max-w-72 max-sm:max-w-36 max-sm:pr-1' },
        { header: 'Schedule', cell: ({ schedule }) => scheduleWords(schedule), className: 'hidden lg:table-cell text-dim' },
        { header: 'Next run', cell: NextCell, className: 'hidden md:table-cell text-dim' },
        { header: 'Last run', cell: LastCell, className: 'max-sm:px-2' },
        { header: <span className="sr-only">Actions</span>, cell: (saved) => <ExportMenu saved={saved} onEdit={onEdit} />, className: 'w-12 text-right max-sm:px-1' },
      ]}
    />
  )
}

function NameCell({ saved, onEdit }: { saved: SavedExport } & RowActions) {
  return (
    <span className="flex flex-col items-start">
      <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => onEdit(saved)}>{saved.name}</button>
      <code className="max-w-full truncate font-mono text-xs text-faint" title={saved.target.address}>{saved.target.address}</code>
    </span>
  )
}

function NextCell({ next_run_at, enabled }: SavedExport) {
  if (!enabled) return <Badge>disabled</Badge>
  return next_run_at === null ? '–' : <Ago at={next_run_at} />
}

function LastCell({ last_run: run }: SavedExport) {
  if (run === null) return <span className="text-faint">never</span>
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone={runTones[run.state]} title={run.error ?? undefined}>{run.state === 'running' ? `running ${percent(run.progress)}` : run.state}</Badge>
      <span className="hidden text-dim sm:inline"><Ago at={run.ended_at ?? run.created_at} />{run.state === 'done' && `, ${count(run.rows)} ${run.rows === 1 ? 'row' : 'rows'}`}</span>
    </span>
  )
}

function ExportMenu({ saved, onEdit }: { saved: SavedExport } & RowActions) {
  const { run, cancel, setEnabled, remove } = useExportActions()
  const [, change] = useSectionSearch()
  const active = saved.last_run !== null && saved.last_run.ended_at === null
  return (
    <Menu trigger={<IconButton small label={`Actions for ${saved.name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={() => onEdit(saved)}><Pencil /> Edit</MenuItem>
      {active
        ? <MenuItem onSelect={() => void cancel(saved)}><Ban /> Cancel run</MenuItem>
        : <MenuItem onSelect={() => void run(saved)}><Play /> Run now</MenuItem>}
      <MenuItem onSelect={() => change({ export: saved.id })}><History /> Show history</MenuItem>
      <MenuItem onSelect={() => void setEnabled(saved, !saved.enabled)}><Power /> {saved.enabled ? 'Disable' : 'Enable'}</MenuItem>
      <MenuItem danger disabled={active} onSelect={() => void remove(saved)}><Trash2 /> Delete</MenuItem>
    </Menu>
  )
}
