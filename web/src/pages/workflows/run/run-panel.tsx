import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CirclePlay, Pencil, RotateCcw, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { duration, instant } from '@/lib/format'
import { Badge, StatusBadge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { JsonView } from '@/ui/json'
import { ErrorState, LoadError, Loading } from '@/ui/page'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import type { Execution, Results } from '../data'
import { OutputValue } from '../editor/result'
import { PanelHead } from '../panel'
import type { ShownRun } from './use-run'

/** The outcome of a run. */
export function RunPanel({ run, workflow, onClose, onOpenNode, onAgain, onEdit }: {
  run: ShownRun
  workflow: number
  onClose: () => void
  onOpenNode: (name: string) => void
  onAgain: () => void
  /** Continues the edits of a dry run; null if it is not one, or there are other edits. */
  onEdit: (() => void) | null
}) {
  const { details, results } = run
  const status = details?.status ?? (run.ended ? 'ended' : 'RUNNING')
  const mayRun = useMay('WORKFLOW_RUN')
  const workspace = String(useSession().workspace_id)
  if (run.error !== null && results === null) return <NoRun run={run} onClose={onClose} />
  return (
    <>
      <PanelHead title={`Run ${run.id}`} about={details === null ? undefined : details.dry_run ? `Dry run of changes to version ${details.workflow_version_number}` : `Version ${details.workflow_version_number}`} icon={<CirclePlay className="size-4 text-accent-ink" aria-hidden />} onClose={onClose} />
      <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-4">
        <div className="flex flex-wrap items-center gap-2" aria-live="polite">
          <StatusBadge status={run.ended && status === 'RUNNING' ? 'ended' : status} />
          {details?.dry_run && <Badge>dry run</Badge>}
          {details !== null && <span className="text-[13px] text-dim"><Ago at={details.started_at} />{' · '}<Elapsed details={details} /></span>}
          <span className="ml-auto flex gap-2">
            {!run.ended && <CancelButton run={run.id} />}
            {onEdit !== null && <Button small onClick={onEdit}><Pencil /> Edit changes</Button>}
            {run.ended && mayRun && <Button small onClick={onAgain}><RotateCcw /> Run again</Button>}
          </span>
        </div>
        {run.error !== null && <ErrorState error={run.error} />}
        {results === null && <Loading />}
        {results !== null && <Outcome results={results} onOpenNode={onOpenNode} />}
        {details?.input_variables && (
          <section className="flex flex-col gap-1.5">
            <div className="flex items-center justify-between">
              <h3 className="text-[13px] font-semibold">Input variables</h3>
              <CopyButton label="Copy input variables" text={JSON.stringify(details.input_variables, null, 2)} />
            </div>
            <div tabIndex={0} className="max-h-60 overflow-auto rounded border border-line p-2"><JsonView value={details.input_variables} /></div>
          </section>
        )}
        {details?.started_by && <p className="text-[13px] text-faint">Started by {details.started_by}</p>}
        {details !== null && (
          <Link to="/$workspace/traces/$trace" params={{ workspace, trace: details.trace_id }} search={{}} className="self-start text-[13px] text-accent-ink underline">
            View trace
          </Link>
        )}
        {details !== null && (
          <Link to="/$workspace/requests" params={{ workspace }} search={{ q: `trace_id:${JSON.stringify(details.trace_id)}`, range: 'all' }} className="self-start text-[13px] text-accent-ink underline">
            View requests of this run
          </Link>
        )}
        <Link to="/$workspace/requests" params={{ workspace }} search={{ q: `tag:workflow-${workflow}` }} className="self-start text-[13px] text-accent-ink underline">
          View requests of this workflow
        </Link>
      </div>
    </>
  )
}

/** Shown for a run that could not be loaded. */
function NoRun({ run, onClose }: { run: ShownRun; onClose: () => void }) {
  return (
    <>
      <PanelHead title={`Run ${run.id}`} icon={<CirclePlay className="size-4 text-accent-ink" aria-hidden />} onClose={onClose} />
      <LoadError what="run" error={run.error} />
    </>
  )
}

/** The outputs, the failed nodes, and the progress. */
function Outcome({ results, onOpenNode }: { results: Results; onOpenNode: (name: string) => void }) {
  const all = Object.entries(results)
  const done = all.filter(([, { status }]) => status !== 'QUEUED' && status !== 'RUNNING').length
  const outputs = all.filter(([, { is_output_node, status }]) => is_output_node && status === 'SUCCESS')
  const failed = all.filter(([, { status }]) => status === 'FAILED')
  return (
    <>
      {done < all.length && (
        <div className="flex flex-col gap-1">
          <p className="text-[13px] text-dim">{done} of {all.length} nodes completed</p>
          <div role="progressbar" aria-label="Completed nodes" aria-valuenow={done} aria-valuemin={0} aria-valuemax={all.length} className="h-1.5 overflow-hidden rounded-full bg-line">
            <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${(done / all.length) * 100}%` }} />
          </div>
        </div>
      )}
      {failed.map(([name, { error_message }]) => (
        <section key={name} className="rounded-md bg-bad-soft p-2.5 text-[13px] text-bad">
          <button type="button" className="font-medium underline" onClick={() => onOpenNode(name)}>{name}</button> failed: {error_message}
        </section>
      ))}
      {outputs.map(([name, { value }]) => (
        <section key={name} className="flex flex-col gap-1.5">
          <div className="flex items-center justify-between gap-2">
            <h3 className="min-w-0 text-[13px] font-semibold">Output of <button type="button" className="underline" onClick={() => onOpenNode(name)}>{name}</button></h3>
            <CopyButton label={`Copy output of ${name}`} text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />
          </div>
          <OutputValue value={value} />
        </section>
      ))}
      {done === all.length && outputs.length === 0 && <p className="text-[13px] text-dim">No output node succeeded, so the run has no result.</p>}
    </>
  )
}

function Elapsed({ details }: { details: Execution }) {
  const [now, setNow] = useState(() => Date.now())
  const running = details.ended_at === null
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [running])
  const end = details.ended_at === null ? now : instant(details.ended_at).getTime()
  return <span className="tabular">{duration(Math.max(0, end - instant(details.started_at).getTime()))}</span>
}

function CancelButton({ run }: { run: number }) {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const toast = useToast()
  const mayRun = useMay('WORKFLOW_RUN')
  const cancel = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/workflow-executions/{execution_id}/cancel', { params: { path: { execution_id: run } } })),
    onSuccess: () => {
      toast.done(`Cancelling run ${run}`)
      void queryClient.invalidateQueries({ queryKey: ['w', workspace, 'workflow-run', run] })
    },
    onError: toast.failed,
  })
  return (
    <Button small look="danger" busy={cancel.isPending} disabled={!mayRun} title={mayRun ? undefined : 'Your role does not allow you to run workflows'} onClick={() => cancel.mutate()}>
      <Square /> Cancel
    </Button>
  )
}
