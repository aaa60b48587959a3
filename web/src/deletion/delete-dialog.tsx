import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { count } from '@/lib/format'
import { useSettled } from '@/query/suggestions'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { ErrorState, Loading } from '@/ui/page'
import { ProgressBar } from '@/ui/progress'
import { downloadCertificate, Facts } from './certificate'
import { type Deletion, type Selection, useDeletion, usePreview, useStartDeletion } from './data'
import { counted, deletionOf, isNamed, type Scope, type ScopeKind } from './scope'
import { ScopeFields } from './scope-fields'
import { confirmation, confirms, isActive, requestCount, stateWords } from './words'

interface Props {
  title: string
  /** Which requests, in words, such as "All requests that match the query". */
  subject: string
  selection: Selection
  /** What can be deleted, the default first. Everything without it. */
  kinds?: readonly ScopeKind[]
  /** Called when the dialog has closed after a deletion began, to load what is left. */
  onDeleted: () => void
  onClose: () => void
}

/** Counts what would be deleted, asks for a confirmation, and shows the deletion until it has ended. */
export function DeleteDialog(props: Props) {
  const [started, setStarted] = useState<Deletion | null>(null)
  return started === null ? <Question {...props} onStarted={setStarted} /> : <Progress {...props} started={started} />
}

function Question({ title, subject, selection, kinds, onClose, onStarted }: Props & { onStarted: (one: Deletion) => void }) {
  const [scope, setScope] = useState<Scope>({ kind: kinds?.[0] ?? 'requests', name: '', traces: false })
  const [typed, setTyped] = useState('')
  const [changed, setChanged] = useState(false)
  const [shown, setShown] = useState(isNamed(scope))
  const settled = useSettled(scope.name, 300)
  const wantedLogs = counted(selection, { ...scope, name: settled })
  const preview = usePreview(wantedLogs ?? selection, wantedLogs !== undefined)
  const start = useStartDeletion()
  const current = wantedLogs !== undefined && (!isNamed(scope) || settled === scope.name)
  const found = current ? preview.data : undefined
  const nothing = found !== undefined && found.logs === 0 && found.traces === 0
  const wanted = confirmation(selection.user_id ?? undefined, found?.logs ?? 0)
  const ready = found !== undefined && !preview.isFetching && !nothing && confirms(typed, wanted)
  // Until the first count there is nothing to choose from, so that the focus does not move away from a choice.
  if (!shown && found !== undefined) setShown(true)
  const change = (next: Scope) => {
    setChanged(true)
    setScope(next)
    setTyped('')
    start.reset()
  }
  const submit = () => {
    if (wantedLogs && found) start.mutate({ ...deletionOf(wantedLogs, scope), expected: found.logs }, { onSuccess: onStarted })
  }
  const again = () => {
    start.reset()
    setTyped('')
    void preview.refetch()
  }
  return (
    <FormDialog
      title={title}
      description={subject}
      action="Delete"
      look="danger"
      busy={start.isPending}
      ready={ready}
      error={start.error}
      more={start.isError && <Button onClick={again}>Count again</Button>}
      className="gap-3"
      onSubmit={submit}
      onClose={onClose}
    >
      {shown && <ScopeFields scope={scope} kinds={kinds} onChange={change} />}
      {wantedLogs === undefined ? null : preview.isError ? <ErrorState error={preview.error} retry={() => void preview.refetch()} /> : found === undefined ? <Loading label="Counting" /> : (
        <>
          <p role="status">{nothing ? 'There is nothing to delete.' : <Consequence scope={scope} found={found} />}</p>
          {!nothing && (
            <Field label={`Type ${wanted} to confirm`}>
              {(control) => <Input {...control} autoFocus={!changed} autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} className="font-mono" />}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  )
}

/** What will be deleted, with its number. */
function Consequence({ scope, found: { logs, traces } }: { scope: Scope; found: { logs: number; traces: number } }) {
  const number = <strong>{requestCount(logs)}</strong>
  if (isNamed(scope)) {
    return <>The {scope.kind === 'key' ? 'metadata key' : 'score'} <strong className="break-all">{scope.name.trim()}</strong> of {number}{scope.traces && ' and their traces'} will be deleted. This cannot be undone.</>
  }
  return <>{number}{traces > 0 && <> and <strong>{count(traces)}</strong> further {traces === 1 ? 'trace' : 'traces'}</>} will be deleted. This cannot be undone.</>
}

function Progress({ title, started, onDeleted, onClose }: Props & { started: Deletion }) {
  const { workspace_id: workspace } = useSession()
  const { data, error } = useDeletion(started.id)
  const one = data ?? started
  const ended = !isActive(one)
  const close = () => {
    onClose()
    onDeleted()
  }
  return (
    <Dialog
      open
      title={title}
      description={ended ? 'The certificate of what was deleted.' : 'You can close this window; the deletion continues.'}
      onOpenChange={(open) => { if (!open) close() }}
      footer={
        <>
          <Link to="/$workspace/settings/$section" params={{ workspace: String(workspace), section: 'retention' }} search={{ tab: 'deletions' }} className="mr-auto text-accent-ink underline">All deletions</Link>
          {ended && <Button onClick={() => downloadCertificate(one)}><Download /> Download as JSON</Button>}
          <Button look="primary" onClick={close}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 py-1">
        {!ended && (
          <>
            <p role="status" className="first-letter:uppercase">{stateWords[one.state]}: {count(one.logs)} of {requestCount(one.total)}</p>
            <ProgressBar label="Progress of the deletion" share={one.progress} />
          </>
        )}
        {error && <p role="alert" className="text-[13px] text-bad">{error.message}</p>}
        {ended && <Facts one={one} />}
      </div>
    </Dialog>
  )
}
