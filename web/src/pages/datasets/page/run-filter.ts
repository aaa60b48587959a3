import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey, type Dataset } from '@/dataset/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Asks for confirmation, then creates a version from the current matches of a version's filter. */
export function useRunFilter(group: number, onShow: (dataset: number) => void) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async (source: Dataset, draft: Dataset | undefined) => {
    const lost = draft === undefined ? '' : ' This replaces the rows of the draft. To keep them, save the draft first.'
    const body = `Creates a new version from the logged requests that currently match the filter of version ${source.version_number}.${lost}`
    if (!(await confirm({ title: 'Run filter again?', body, action: 'Run filter', danger: draft !== undefined }))) return
    try {
      const { dataset_id } = await call(api.POST('/api/public/v2/dataset-versions/from-filter-params', { body: { ...source.filter_params, dataset_group_id: group } }))
      await queryClient.invalidateQueries({ queryKey: datasetsKey(workspace) })
      toast.done('New version created from the filter')
      onShow(dataset_id)
    } catch (error) {
      toast.failed(error)
    }
  }
}
