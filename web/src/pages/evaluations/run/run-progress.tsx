import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { evaluationKey, type Report } from '@/evaluation/data'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { totalOf } from './run-state'

/** The progress of a run, with a button to cancel it. */
export function RunProgress({ run }: { run: Report }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const mayRun = useMay('REPORT_RUN')
  const counts = run.stats.status_counts
  const total = totalOf(counts) || 1
  const cancel = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/evaluations/{evaluation_id}/cancel', { params: { path: { evaluation_id: run.report.id } } })),
    onSuccess: async () => {
      toast.done('Cancelling run')
      await queryClient.invalidateQueries({ queryKey: evaluationKey(workspace, run.report.id) })
    },
    onError: toast.failed,
  })
  const ask = async () => {
    const left = total - counts.COMPLETED - counts.FAILED
    if (await confirm({ title: 'Cancel run?', body: `${count(left)} unfinished cells will fail. Completed cells are kept.`, action: 'Cancel run', danger: true })) cancel.mutate()
  }
  const share = (part: number) => ({ width: `${(part / total) * 100}%` })
  const done = counts.COMPLETED + counts.FAILED
  const waiting = counts.WAITING ?? 0
  return (
    <div className="flex flex-wrap items-center gap-4 border-b border-line bg-surface px-4 py-3">
      <div className="flex min-w-48 flex-1 flex-col gap-1.5">
        <div role="progressbar" aria-label="Completed cells" aria-valuemin={0} aria-valuemax={total} aria-valuenow={done} className="flex h-2 overflow-hidden rounded-full bg-sunken">
          <div className="bg-good transition-[width]" style={share(counts.COMPLETED)} />
          <div className="bg-bad transition-[width]" style={share(counts.FAILED)} />
          <div className="animate-pulse bg-info transition-[width]" style={share(counts.RUNNING)} />
        </div>
        <p aria-live="polite" className="tabular text-[13px] text-dim">
          {count(done)} of {count(total)} cells completed
          {counts.FAILED > 0 && <span className="text-bad">, {count(counts.FAILED)} failed</span>}, {count(counts.RUNNING)} running, {count(counts.QUEUED)} queued
          {waiting > 0 && <span className="text-warn">, {count(waiting)} waiting for people</span>}
        </p>
      </div>
      {mayRun && <Button look="danger" busy={cancel.isPending} onClick={() => void ask()}><Square /> Cancel</Button>}
    </div>
  )
}
