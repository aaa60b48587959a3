import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey, type Dataset } from '@/dataset/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Asks, then makes a version of what the filter of another one finds now. */
export function useRunFilter(group: number, onShow: (dataset: number) => void) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async (source: Dataset, draft: Dataset | undefined) => {
    const lost = draft === undefined ? '' : ' The rows of the draft are replaced: save it first to keep them.'
    const body = `The logged requests that the filter of version ${source.version_number} finds now become a new version.${lost}`
    if (!(await confirm({ title: 'Run the filter again?', body, action: 'Run it', danger: draft !== undefined }))) return
    try {
      const { dataset_id } = await call(api.POST('/api/public/v2/dataset-versions/from-filter-params', { body: { ...source.filter_params, dataset_group_id: group } }))
      await queryClient.invalidateQueries({ queryKey: datasetsKey(workspace) })
      toast.done('The filter was run again')
      onShow(dataset_id)
    } catch (error) {
      toast.failed(error)
    }
  }
}
