import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { evaluationKey, reportQuery, type Column, type Report } from '@/evaluation/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { usersOf } from './users'

/** A column in a form. */
export interface Draft {
  column_type: string
  name: string
  configuration: Record<string, unknown>
  is_part_of_score: boolean
}

/** The actions on the columns of an evaluation. */
export function useColumnActions({ report, report_columns: columns }: Report) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const refresh = () => queryClient.invalidateQueries({ queryKey: evaluationKey(workspace, report.id) })
  const setScoreCard = useSetScoreCard(report.id)

  const save = useMutation({
    mutationFn: async ({ draft, column }: { draft: Draft; column?: Column }) => {
      const { is_part_of_score, ...rest } = draft
      if (column === undefined) return call(api.POST('/report-columns', { body: { report_id: report.id, ...draft } }))
      const answer = await call(api.PATCH('/report-columns/{report_column_id}', { params: { path: { report_column_id: column.id } }, body: { report_id: report.id, ...rest } }))
      // Whether it counts is part of the score card, not of the column.
      if (is_part_of_score !== column.is_part_of_score) {
        const others = columns.filter((one) => one.is_part_of_score && one.id !== column.id).map(({ name }) => name)
        await setScoreCard.mutateAsync({ column_names: is_part_of_score ? [...others, draft.name] : others, ...codeOf(report) })
      }
      return answer
    },
    onSuccess: (_, { draft, column }) => {
      toast.done(column ? `Column ${draft.name} updated` : `Column ${draft.name} added`)
      return refresh()
    },
  })
  const move = useMutation({
    mutationFn: ({ column, position }: { column: Column; position: number }) =>
      call(api.PATCH('/report-columns/{report_column_id}', { params: { path: { report_column_id: column.id } }, body: { report_id: report.id, column_type: column.column_type, position } })),
    onSuccess: refresh,
    onError: toast.failed,
  })
  const remove = async (column: Column) => {
    const users = usersOf(column, columns)
    const body = users.length === 0 ? 'Existing runs are not changed.' : `Existing runs are not changed. These columns use it and will fail in the next run: ${users.join(', ')}.`
    if (!(await confirm({ title: `Delete column ${column.name}?`, body, action: 'Delete', danger: true }))) return
    try {
      await call(api.DELETE('/report-columns/{report_column_id}', { params: { path: { report_column_id: column.id } } }))
      toast.done(`Column ${column.name} deleted`)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
  const setCounts = (column: Column, on: boolean) => {
    const others = columns.filter((one) => one.is_part_of_score && one.id !== column.id).map(({ name }) => name)
    // Updated optimistically; reloaded if the server refuses.
    queryClient.setQueryData<Report>(reportQuery(workspace, report.id).queryKey, (old) => old && { ...old, report_columns: old.report_columns.map((one) => (one.id === column.id ? { ...one, is_part_of_score: on } : one)) })
    setScoreCard.mutate({ column_names: on ? [...others, column.name] : others, ...codeOf(report) }, { onError: () => void refresh() })
  }
  return { save, move, remove, setCounts, busy: move.isPending }
}

/** Sets which columns count and the code that computes the score, for an evaluation or a run. */
export function useSetScoreCard(report: number) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (body: Schemas['ScoreCardRequest']) => call(api.PATCH('/reports/{report_id}/score-card', { params: { path: { report_id: report } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: evaluationKey(workspace, report) }),
    onError: toast.failed,
  })
}

/** The code of a score card, which must be sent along to be kept. */
export function codeOf({ score_configuration: configuration }: Pick<Report['report'], 'score_configuration'>): Pick<Schemas['ScoreCardRequest'], 'code' | 'code_language'> {
  return { code: configuration?.code ?? null, code_language: configuration?.code_language ?? 'JAVASCRIPT' }
}
