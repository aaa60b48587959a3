import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '@/api/session'
import { hasEnded, resultsQuery, runsQuery, workflowKey, type Execution, type Results } from '../data'

export interface ShownRun {
  id: number
  results: Results | null
  ended: boolean
  error: Error | null
  /** The start and input of the run, or null if it is not among the latest runs. */
  details: Execution | null
}

/** The run in the URL, live while it is in progress. */
export function useRun(workflow: number, run: number | undefined): ShownRun | null {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const results = useQuery({ ...resultsQuery(workspace, run ?? 0), enabled: run !== undefined })
  const runs = useQuery({ ...runsQuery(workspace, workflow), enabled: run !== undefined })
  const ended = results.data !== undefined && hasEnded(results.data)
  const details = runs.data?.items.find((one) => one.id === run) ?? null
  const outdated = ended && details?.status === 'RUNNING'
  useEffect(() => {
    // The list has the status and end of a run; reload it once the run has ended.
    if (outdated) void queryClient.invalidateQueries({ queryKey: [...workflowKey(workspace, workflow), 'runs'] })
  }, [outdated, queryClient, workspace, workflow])
  if (run === undefined) return null
  return { id: run, results: results.data ?? null, ended, error: results.error, details }
}
