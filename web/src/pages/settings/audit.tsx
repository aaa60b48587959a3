import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpToLine, Download, History } from 'lucide-react'
import { useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { auditColumns } from '@/export/columns'
import { ExportDialog } from '@/export/export-dialog'
import { cn } from '@/lib/cn'
import { dateTime } from '@/lib/format'
import { Badge, type Tone } from '@/ui/badge'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { AuditEntry, SubjectLink } from './audit-entry'
import { AuditFilters } from './audit-filters'
import { auditQuery, detailLine, isNarrowed } from './audit-query'
import { NotAllowed, Section, useSectionSearch } from './section'

type Entry = Schemas['AuditItem']

const pageSize = 50

export function AuditSection() {
  const administers = useMay('ADMIN')
  if (!administers) return <Section id="audit"><NotAllowed permission="ADMIN">Only administrators of the workspace can read its audit log.</NotAllowed></Section>
  return <Audit />
}

function Audit() {
  const [search, change] = useSectionSearch()
  const page = useAuditPage()
  const { workspace_id: workspace } = useSession()
  const [exporting, setExporting] = useState(false)
  const entries = page.data?.entries ?? []
  const open = entries.find(({ id }) => id === search.entry)
  return (
    <Section id="audit" actions={<Button onClick={() => setExporting(true)}><Download /> Export</Button>}>
      <AuditFilters search={search} onChange={change} />
      {page.isPending && <Loading />}
      {page.isError && <ErrorState error={page.error} retry={() => void page.refetch()} />}
      {page.data && (
        <div className={cn('rounded-lg border border-line bg-surface', page.isPlaceholderData && 'opacity-60')}>
          {entries.length > 0 ? <EntryTable entries={entries} onOpen={({ id }) => change({ entry: id })} /> : <NoEntries narrowed={isNarrowed(search)} />}
        </div>
      )}
      {page.data && <Steps next={page.data.next_before} before={search.before} />}
      {open && <AuditEntry entry={open} onClose={() => change({ entry: undefined }, true)} />}
      {exporting && <ExportDialog source={exportSource(workspace, auditQuery(search))} noun="entries" onClose={() => setExporting(false)} />}
    </Section>
  )
}

/** The export of the entries that match. Only that of a workspace can be scheduled. */
function exportSource(workspace: number, query: ReturnType<typeof auditQuery>) {
  const scheduled = query.installation ? undefined : { source: 'audit' as const, query: JSON.stringify(query) }
  return { path: '/api/admin/audit/export', workspace, parameters: { ...query }, columns: auditColumns, scheduled }
}

function useAuditPage() {
  const { workspace_id } = useSession()
  const [search] = useSectionSearch()
  const query = auditQuery(search)
  return useQuery({
    queryKey: ['w', workspace_id, 'audit', query, search.before ?? 0],
    queryFn: ({ signal }) => call(api.GET('/api/admin/audit', { params: { query: { ...query, before: search.before, limit: pageSize } }, signal })),
    placeholderData: keepPreviousData,
  })
}

function NoEntries({ narrowed }: { narrowed: boolean }) {
  return (
    <EmptyState icon={<History />} title={narrowed ? 'No matching entries' : 'No entries yet'}>
      {narrowed
        ? 'Change or clear the filters. Names must match exactly.'
        : 'Changes made in the app, with the API or on the command line will appear here. Logged requests and workflow runs are not included.'}
    </EmptyState>
  )
}

const tones: Record<string, Tone> = { create: 'good', delete: 'bad', revoke: 'bad', 'remove from workspace': 'bad', disable: 'bad', publish: 'info', label: 'violet', unlabel: 'violet' }

function EntryTable({ entries, onOpen }: { entries: Entry[]; onOpen: (entry: Entry) => void }) {
  return (
    <SimpleTable
      label="Audit log"
      rows={entries}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      columns={[
        {
          header: 'When',
          className: 'tabular whitespace-nowrap text-dim',
          cell: (entry) => <button type="button" className="hover:underline" title="Show details" onClick={() => onOpen(entry)}>{dateTime(entry.at)}</button>,
        },
        { header: 'Who', cell: ({ actor, actor_kind }) => <>{actor} {actor_kind === 'key' && <span className="text-faint">(key)</span>}</>, className: 'hidden sm:table-cell max-w-48' },
        { header: 'Action', cell: ActionBadge, className: 'hidden sm:table-cell' },
        { header: 'What', cell: What, className: 'max-w-56 sm:w-2/5 sm:max-w-96' },
        { header: 'Details', cell: ({ detail }) => detailLine(detail), className: 'hidden lg:table-cell max-w-52 text-dim' },
      ]}
    />
  )
}

function ActionBadge({ action }: Entry) {
  return <Badge tone={tones[action]}>{action}</Badge>
}

/** The item. On narrow screens, which lack the other columns, also the action and who performed it. */
function What(entry: Entry) {
  return (
    <>
      <span className="mb-1 flex items-center gap-2 sm:hidden"><ActionBadge {...entry} /> <span className="truncate text-[13px] text-faint">{entry.actor}</span></span>
      <SubjectLink entry={entry} />
    </>
  )
}

/** Older pages by a link; newer ones by the browser's back button, or all at once. */
function Steps({ next, before }: { next: number | null; before: number | undefined }) {
  if (next === null && before === undefined) return null
  return (
    <nav aria-label="Pagination" className="flex justify-end gap-2">
      {before !== undefined && (
        <Link from="/$workspace/settings/$section" to="." search={(old) => ({ ...old, before: undefined, entry: undefined })} className={buttonClass('plain', true)}><ArrowUpToLine /> Newest</Link>
      )}
      {next !== null && <Link from="/$workspace/settings/$section" to="." search={(old) => ({ ...old, before: next, entry: undefined })} className={buttonClass('plain', true)}>Older</Link>}
    </nav>
  )
}
