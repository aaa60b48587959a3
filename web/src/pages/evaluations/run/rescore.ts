import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '@/api/session'
import { evaluationsKey, reportQuery, type Report } from '@/evaluation/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { codeOf, useSetScoreCard } from '../columns/actions'

/** Asks for confirmation, then recomputes the score of a run with the current score card of its evaluation. */
export function useRescore(run: Report['report']) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  const setScoreCard = useSetScoreCard(run.id)
  return async () => {
    const body = `The score of ${run.name} will be replaced, using the current score columns and code of the evaluation.`
    if (run.parent_report_id === null || !(await confirm({ title: 'Recompute score?', body, action: 'Recompute' }))) return
    const [evaluation, own] = await Promise.all([queryClient.fetchQuery(reportQuery(workspace, run.parent_report_id)), queryClient.fetchQuery(reportQuery(workspace, run.id))])
    // A run has the columns of its time; only those can count.
    const names = new Set(own.report_columns.map(({ name }) => name))
    const column_names = evaluation.report_columns.filter(({ name, is_part_of_score }) => is_part_of_score && names.has(name)).map(({ name }) => name)
    await setScoreCard.mutateAsync({ column_names, ...codeOf(evaluation.report) }).then(
      () => toast.done('Score recomputed'),
      // The mutation has already shown the error.
      () => undefined,
    )
    await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
  }
}
