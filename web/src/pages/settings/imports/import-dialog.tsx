import { bytes, percent } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Dialog, useConfirm } from '@/ui/dialog'
import { FileButton } from '@/ui/file-button'
import { LoadError, Loading } from '@/ui/page'
import { ProgressBar } from '@/ui/progress'
import { useToast } from '@/ui/toast'
import { useCancel, useCheck, useImport } from './import-data'
import { countsOf, fileProblem, type Import, stateWords, tones } from './import-words'
import { CheckOutcome, ImportOutcome, Tally } from './outcome'
import { ReadingForm } from './reading'
import { Footer } from './step'
import type { useUpload } from './use-upload'

type Uploads = ReturnType<typeof useUpload>

/** An import, at the step that it has reached. */
export function ImportDialog({ id, upload, onClose }: { id: number; upload: Uploads; onClose: () => void }) {
  const one = useImport(id)
  return (
    <Dialog
      open
      size="wide"
      title={one.data ? `Import of ${one.data.file_name}` : 'Import'}
      description={one.data && <>{one.data.server ? one.data.server.address : bytes(one.data.size)} <Badge tone={tones[one.data.state]}>{stateWords(one.data.state)}</Badge></>}
      onOpenChange={(open) => { if (!open) onClose() }}
    >
      {one.isPending && <Loading />}
      {one.isError && <LoadError what="import" error={one.error} retry={() => void one.refetch()} />}
      {one.data && <Step one={one.data} upload={upload} onClose={onClose} />}
    </Dialog>
  )
}

function Step({ one, upload: { upload, whole, send }, onClose }: { one: Import; upload: Uploads; onClose: () => void }) {
  if (one.state === 'checking') return <Job one={one} label={one.server ? 'Checking' : 'Checking rows'} about="Nothing is written yet. You can close this window." action="Stop check" />
  if (one.state === 'checked') return <CheckOutcome one={one} />
  if (one.state === 'running') return <Job one={one} label="Importing" about="The import goes on if you close this window, or if the server restarts." action="Cancel import" />
  if (one.state !== 'uploading') return <ImportOutcome one={one} onClose={onClose} />
  if (one.server) return <Unread one={one} />
  const sending = upload?.id === one.id ? upload : null
  if (sending && sending.error === null) return <Progress label="Uploading" share={sending.share} about="Keep this window open until the file is uploaded." />
  // Only a check, or the browser that uploaded it, knows that the file is complete.
  if (one.sha256 === null && one.error === null && !whole.has(one.id)) return <Interrupted one={one} error={sending?.error ?? null} onFile={(file) => void send(one.id, file)} />
  return <ReadingForm one={one} />
}

function Progress({ label, share, about }: { label: string; share: number; about: string }) {
  return (
    <div className="flex flex-col gap-1.5 py-2">
      <span className="flex justify-between gap-3"><span>{label}</span><span className="tabular text-dim">{percent(share)}</span></span>
      <ProgressBar label={label} share={share} />
      <p className="text-[13px] text-faint">{about}</p>
    </div>
  )
}

/** An import from a server that has not been checked. */
function Unread({ one }: { one: Import }) {
  const check = useCheck(one.id)
  const toast = useToast()
  return (
    <>
      {one.error !== null && <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">{one.error}</p>}
      <p className="py-2 text-dim">The check asks the server what it has, and compares it with this workspace. Nothing is written.</p>
      <Footer><Button look="primary" busy={check.isPending} onClick={() => check.mutate(undefined, { onError: toast.failed })}>Check</Button></Footer>
    </>
  )
}

/** A check or an import that runs. */
function Job({ one, label, about, action }: { one: Import; label: string; about: string; action: string }) {
  const cancel = useCancel(one.id)
  const confirm = useConfirm()
  const toast = useToast()
  const stop = async () => {
    const writes = one.state === 'running'
    if (writes && !(await confirm({ title: 'Cancel the import?', body: one.server ? 'What was imported stays.' : 'Requests that were written stay. You can delete them afterwards.', action: 'Cancel import', danger: true }))) return
    cancel.mutate(undefined, { onError: toast.failed })
  }
  return (
    <>
      <Progress label={label} share={one.progress} about={about} />
      <Tally one={one} counts={countsOf(one)} />
      <Footer><Button look="danger" busy={cancel.isPending} onClick={() => void stop()}>{action}</Button></Footer>
    </>
  )
}

function Interrupted({ one, error, onFile }: { one: Import; error: string | null; onFile: (file: File) => void }) {
  const toast = useToast()
  const take = (file: File) => {
    const problem = fileProblem(file, one)
    if (problem === null) onFile(file)
    else toast.failed(problem)
  }
  return (
    <div className="flex flex-col items-start gap-3 py-2">
      {error !== null && <p role="alert" className="text-bad">{error}</p>}
      <p className="text-dim">{one.size > 0 ? `The upload was interrupted after ${bytes(one.size)}. Choose ${one.file_name} again to go on.` : `Choose ${one.file_name} to upload it.`}</p>
      <FileButton look="primary" onFile={take}>Choose {one.file_name}</FileButton>
    </div>
  )
}
