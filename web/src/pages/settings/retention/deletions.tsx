import { Ban, Eraser, FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Certificate } from '@/deletion/certificate'
import { type Deletion, useCancelDeletion, useDeletions } from '@/deletion/data'
import { DeleteDialog } from '@/deletion/delete-dialog'
import { isActive, partWords, stateWords, subjectWords, tones } from '@/deletion/words'
import { count } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { ProgressBar } from '@/ui/progress'
import { Pager, SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useSectionSearch } from '../section'

/** What can be deleted of all requests of the workspace here. */
const removable = ['key', 'score'] as const

/** The deletions of the workspace with their progress and certificates. */
export function Deletions() {
  const [search, change] = useSectionSearch()
  const [removing, setRemoving] = useState(false)
  const list = useDeletions(search.page ?? 1, true)
  if (list.isPending) return <Loading />
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  const { items, page, pages, total } = list.data
  return (
    <>
      <div className="mb-3 flex justify-end"><Button onClick={() => setRemoving(true)}><Eraser /> Delete a metadata key or score…</Button></div>
      <div className="rounded-lg border border-line bg-surface">
        {total > 0 ? <Table deletions={items} onOpen={({ id }) => change({ entry: id })} /> : (
          <EmptyState icon={<Trash2 />} title="No deletions yet">
            Delete requests, their texts, a metadata key or a score with More → Delete… on the page of requests, everything of a user on the page of the user, or by age with rules.
          </EmptyState>
        )}
        <Pager page={page} pages={pages} total={total} noun="deletions" onPage={(next) => change({ page: next === 1 ? undefined : next })} />
        {search.entry !== undefined && <Certificate id={search.entry} onClose={() => change({ entry: undefined }, true)} />}
      </div>
      {removing && (
        <DeleteDialog
          title="Delete a metadata key or score" subject="Of all requests of the workspace that have it. To delete it of some, search for them on the page of requests."
          selection={{}} kinds={removable} onDeleted={() => void list.refetch()} onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

function Table({ deletions, onOpen }: { deletions: Deletion[]; onOpen: (one: Deletion) => void }) {
  const cancel = useCancelDeletion()
  return (
    <SimpleTable
      label="Deletions"
      rows={deletions}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      columns={[
        { header: 'Started', cell: Started, className: 'whitespace-nowrap' },
        { header: 'State', cell: StateCell },
        { header: 'Selected', cell: Subject, className: 'hidden md:table-cell' },
        { header: 'Requests', cell: ({ logs }) => count(logs), className: 'text-right tabular' },
        {
          header: <span className="sr-only">Actions</span>,
          className: 'w-24 text-right whitespace-nowrap',
          cell: (one) => (
            <>
              {one.state === 'running' && <IconButton small label={`Cancel deletion ${one.id}`} onClick={() => void cancel(one)}><Ban /></IconButton>}
              <IconButton small label={`Certificate of deletion ${one.id}`} onClick={() => onOpen(one)}><FileText /></IconButton>
            </>
          ),
        },
      ]}
    />
  )
}

function Started({ created_at, created_by, source }: Deletion) {
  const who = created_by ?? (source === 'retention' ? 'Retention' : null)
  return <span><Ago at={created_at} />{who && <span className="block truncate text-xs text-faint">{who}</span>}</span>
}

function StateCell(one: Deletion) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={tones[one.state]} title={one.error ?? undefined}>{stateWords[one.state]}</Badge>
      {isActive(one) && <ProgressBar label={`Progress of deletion ${one.id}`} share={one.progress} className="w-20" />}
      {one.error !== null && <span className="truncate text-bad">{one.error}</span>}
    </span>
  )
}

function Subject(one: Deletion) {
  const words = subjectWords(one)
  const part = partWords(one)
  return <span title={words}>{words}{part !== null && <span className="text-faint">, {part}</span>}</span>
}
