import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '@/api/session'
import { hasEnded, resultsQuery, runsQuery, workflowKey, type Execution, type Results } from '../data'

export interface ShownRun {
  id: number
  results: Results | null
  ended: boolean
  error: Error | null
  /** When it started and with what; null where it is not among the latest runs. */
  details: Execution | null
}

/** The run that the address names, live while it goes on. */
export function useRun(workflow: number, run: number | undefined): ShownRun | null {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const results = useQuery({ ...resultsQuery(workspace, run ?? 0), enabled: run !== undefined })
  const runs = useQuery({ ...runsQuery(workspace, workflow), enabled: run !== undefined })
  const ended = results.data !== undefined && hasEnded(results.data)
  const details = runs.data?.items.find((one) => one.id === run) ?? null
  const outdated = ended && details?.status === 'RUNNING'
  useEffect(() => {
    // The list says how a run ended and when; it is asked again once it has.
    if (outdated) void queryClient.invalidateQueries({ queryKey: [...workflowKey(workspace, workflow), 'runs'] })
  }, [outdated, queryClient, workspace, workflow])
  if (run === undefined) return null
  return { id: run, results: results.data ?? null, ended, error: results.error, details }
}
