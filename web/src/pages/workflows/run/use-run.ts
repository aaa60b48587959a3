import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '@/api/session'
import { executionQuery, hasEnded, resultsQuery, workflowKey, type ExecutionDetails, type Results } from '../data'

export interface ShownRun {
  id: number
  results: Results | null
  ended: boolean
  error: Error | null
  /** The start, the input and the definition of the run; null until they are loaded. */
  details: ExecutionDetails | null
}

/** The run in the URL, live while it is in progress. */
export function useRun(workflow: number, run: number | undefined): ShownRun | null {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const results = useQuery({ ...resultsQuery(workspace, run ?? 0), enabled: run !== undefined })
  const execution = useQuery({ ...executionQuery(workspace, run ?? 0), enabled: run !== undefined })
  const ended = results.data !== undefined && hasEnded(results.data)
  const details = execution.data ?? null
  const outdated = ended && details?.status === 'RUNNING'
  useEffect(() => {
    // The results say that a run has ended, but not how and when.
    if (!outdated) return
    void queryClient.invalidateQueries({ queryKey: executionQuery(workspace, run ?? 0).queryKey })
    void queryClient.invalidateQueries({ queryKey: [...workflowKey(workspace, workflow), 'runs'] })
  }, [outdated, queryClient, workspace, workflow, run])
  if (run === undefined) return null
  return { id: run, results: results.data ?? null, ended, error: results.error, details }
}
