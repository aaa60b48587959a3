import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '@/api/session'
import { evaluationKey, evaluationsKey, reportQuery } from '@/evaluation/data'
import { LoadError, Loading, Missing } from '@/ui/page'
import { AgreementPanel } from './agreement'
import { RunGrid } from './run-grid'
import { RunHeader } from './run-header'
import { RunProgress } from './run-progress'
import { RunUsage } from './run-usage'
import { ScoreStrip } from './score-strip'

/** A run: its progress, its score, and all of its cells. */
export function RunView({ run, evaluation }: { run: number; evaluation: number }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(reportQuery(workspace, run))
  const running = data !== undefined && data.status !== 'COMPLETED'
  useEffect(() => {
    if (running) return
    // The last cells completed between the last poll and the end of the run.
    void queryClient.invalidateQueries({ queryKey: [...evaluationKey(workspace, run), 'rows'] })
    void queryClient.invalidateQueries({ queryKey: [...evaluationKey(workspace, evaluation), 'runs'] })
    void queryClient.invalidateQueries({ queryKey: [...evaluationsKey(workspace), 'list'] })
  }, [running, queryClient, workspace, run, evaluation])
  if (data === undefined) return error ? <LoadError what="run" error={error} retry={() => void refetch()} /> : <Loading />
  // The run may belong to another evaluation.
  if (data.report.parent_report_id !== evaluation) return <Missing what="run" />
  return (
    <>
      <RunHeader run={data} />
      {running ? <RunProgress run={data} /> : <ScoreStrip run={data} />}
      <RunUsage run={data} />
      <AgreementPanel run={data} />
      <RunGrid run={data} />
    </>
  )
}
