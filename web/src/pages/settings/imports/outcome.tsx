import { Link } from '@tanstack/react-router'
import { Download, ScrollText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { count, plural } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button, buttonClass } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Checkbox } from '@/ui/field'
import { SimpleTable } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { countImported, deleteImported, useDeletion, useReadDifferently, useStart } from './import-data'
import { amountOf, type Counts, hasRequests, type Import, nounOf, readingOf, remarkWords, reportAddress } from './import-words'
import { Footer } from './step'

/** The number of rows or items that were read, and what became of them. */
export function Tally({ one, counts }: { one: Import; counts: Counts }) {
  const remarks = remarkWords(counts, nounOf(one))
  if (counts.rows === 0) return null
  const outcome = one.state === 'checked' || one.state === 'checking' ? 'can be imported' : 'imported'
  return (
    <div role="status" className="flex flex-col gap-1 py-1">
      <p><strong>{count(counts.accepted)}</strong> of {plural(counts.rows, nounOf(one))} {one.server ? outcome : 'are valid requests'}.</p>
      {remarks.length > 0 && <ul className="list-disc pl-5 text-dim">{remarks.map((words) => <li key={words}>{words}</li>)}</ul>}
    </div>
  )
}

/** The rows with a remark, and links to the whole report. */
function Report({ one, counts }: { one: Import; counts: Counts }) {
  const { workspace_id: workspace } = useSession()
  if (counts.first.length === 0) return null
  const all = counts.refused + counts.ignored + counts.existing + counts.unlinked
  return (
    <section aria-label="Report" className="rounded-lg border border-line">
      <SimpleTable
        label={one.server ? 'Items with a remark' : 'Rows with a remark'}
        scrolls
        rows={counts.first}
        rowKey={({ row, status }) => `${row} ${status}`}
        columns={[
          { header: one.server ? 'Item' : 'Line', cell: ({ line, id }) => (line === 0 ? id : count(line)), className: 'tabular' },
          { header: 'Result', cell: ({ status }) => <Badge tone={status === 'refused' ? 'bad' : 'warn'}>{status}</Badge> },
          { header: 'Reason', cell: ({ reason }) => <span title={reason}>{reason}</span> },
        ]}
      />
      <p className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-[13px] text-dim">
        <span className="mr-auto">{all > counts.first.length ? `The first ${count(counts.first.length)} of ${plural(all, nounOf(one))}.` : `${plural(all, nounOf(one))}.`}</span>
        <a className={buttonClass('plain', true)} href={reportAddress(one.id, workspace, 'csv')} download><Download /> Report as CSV</a>
        <a className={buttonClass('plain', true)} href={reportAddress(one.id, workspace, 'ndjson')} download><Download /> as JSON lines</a>
      </p>
    </section>
  )
}

/** The outcome of the check, from which the import is started. */
export function CheckOutcome({ one }: { one: Import }) {
  const { refused, accepted } = one.check
  const [skip, setSkip] = useState(false)
  const [again, setAgain] = useState(false)
  const start = useStart(one.id)
  const back = useReadDifferently(one.id)
  const toast = useToast()
  const doubled = start.error !== null && start.error.message.includes('was imported before')
  return (
    <div className="flex flex-col gap-3 py-1">
      <Tally one={one} counts={one.check} />
      <Report one={one} counts={one.check} />
      {refused > 0 && accepted > 0 && (
        <label className="flex items-center gap-2"><Checkbox checked={skip} onChange={(event) => setSkip(event.target.checked)} /> Skip {nounOf(one)}s that are refused</label>
      )}
      {start.error !== null && <p role="alert" className="text-bad">{start.error.message}</p>}
      {(doubled || again) && (
        <label className="flex items-center gap-2"><Checkbox checked={again} onChange={(event) => setAgain(event.target.checked)} /> Import it again, which doubles its requests</label>
      )}
      <Footer>
        {one.server === null && <Button busy={back.isPending} onClick={() => back.mutate(readingOf(one), { onError: toast.failed })}>Change how it is read</Button>}
        <Button look="primary" busy={start.isPending} disabled={accepted === 0 || (refused > 0 && !skip) || (doubled && !again)} onClick={() => start.mutate({ skip_refused: skip, again })}>
          {accepted === 0 ? 'Nothing to import' : `Import ${amountOf(one, accepted)}`}
        </Button>
      </Footer>
    </div>
  )
}

/** The outcome of an import that has ended. */
export function ImportOutcome({ one, onClose }: { one: Import; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const { accepted } = one.result
  return (
    <div className="flex flex-col gap-3 py-1">
      {one.error !== null && <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">{one.error}</p>}
      {one.state === 'cancelled' && <p className="text-warn">The import was cancelled. What was written before stays.</p>}
      {(one.server === null || one.result.rows === 0) && <p role="status"><strong>{amountOf(one, accepted)}</strong> imported.</p>}
      <Tally one={one} counts={one.result} />
      <Report one={one} counts={one.result} />
      <Footer>
        {hasRequests(one) && <Undo id={one.id} />}
        {hasRequests(one) && (
          <Link to="/$workspace/requests" params={{ workspace: String(workspace) }} search={{ range: 'all', q: `metadata.import.id:${one.id}` }} className={buttonClass()}><ScrollText /> Show requests</Link>
        )}
        <Button look="primary" onClick={onClose}>Close</Button>
      </Footer>
    </div>
  )
}

/** Deletes what an import has brought, after a confirmation with its number. */
function Undo({ id }: { id: number }) {
  const confirm = useConfirm()
  const toast = useToast()
  const [started, setStarted] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const deletion = useDeletion(started).data
  const ask = async () => {
    setBusy(true)
    try {
      const found = await countImported(id)
      if (found === 0) toast.done('The requests of this import were deleted before')
      else if (await confirm({ title: `Delete ${plural(found, 'request')}?`, body: `All requests of import ${id} are deleted. This cannot be undone.`, action: 'Delete', danger: true })) {
        setStarted(await deleteImported(id, found))
      }
    } catch (error) {
      toast.failed(error)
    }
    setBusy(false)
  }
  if (deletion === undefined) return <Button look="danger" className="mr-auto" busy={busy} onClick={() => void ask()}><Trash2 /> Delete imported requests</Button>
  return (
    <span role="status" className={deletion.state === 'failed' ? 'mr-auto text-bad' : 'mr-auto text-dim'}>
      {deletion.error ?? `${count(deletion.logs)} of ${plural(deletion.total, 'request')} deleted`}
    </span>
  )
}
