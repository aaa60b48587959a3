import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { groupKey, rowsKey, type RowsPage } from '@/dataset/data'
import { useToast } from '@/ui/toast'

type Changes = Omit<Schemas['ChangeDraftRowsRequest'], 'dataset_group_id'>

/** Changes rows and columns of a draft. Each change is saved immediately. */
export function useDraftChanges(group: number, dataset: number) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const rows = rowsKey(workspace, dataset)
  const change = useMutation({
    mutationFn: (changes: Changes) => call(api.POST('/api/public/v2/dataset-versions/draft-rows', { body: { dataset_group_id: group, ...changes } })),
    onError: toast.failed,
    onSettled: async (_, __, { add_columns: added }) => {
      await queryClient.invalidateQueries({ queryKey: rows })
      if (added) await queryClient.invalidateQueries({ queryKey: groupKey(workspace, group) })
    },
  })
  /** Updates the value optimistically. If the server refuses, the rows are reloaded. */
  const setCell = (row: string, column: string, value: unknown) => {
    queryClient.setQueriesData<RowsPage | number>({ queryKey: rows }, (page) => (typeof page === 'object' ? withCell(page, row, column, value) : page))
    return change.mutateAsync({ set: [{ row_id: row, values: { [column]: value } }] }).catch(() => undefined)
  }
  return { change, setCell }
}

function withCell(page: RowsPage, row: string, column: string, value: unknown): RowsPage {
  const at = page.row_ids?.indexOf(row) ?? -1
  const cells = page.rows[at]
  const place = page.columns.indexOf(column)
  if (cells === undefined || place < 0) return page
  return { ...page, rows: page.rows.with(at, cells.with(place, { type: 'dataset', value: value as RowsPage['rows'][number][number]['value'] })) }
}
