import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey, groupKey, rowsKey, type Dataset, type Group } from '@/dataset/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Asks for confirmation, then deletes a dataset with all of its versions. Resolves to whether it did. */
export function useDeleteGroup() {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ id, name }: { id: number; name: string }): Promise<boolean> => {
    const body = `This deletes all versions and the draft of ${name}. Existing evaluation runs are kept, but cannot be run again on this dataset.`
    if (!(await confirm({ title: `Delete dataset ${name}?`, body, action: 'Delete', danger: true }))) return false
    try {
      await call(api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id, type: 'DATASET' }] } }))
    } catch (error) {
      toast.failed(error)
      return false
    }
    toast.done(`${name} deleted`)
    // Removed immediately, so that the list does not load deleted versions.
    queryClient.setQueriesData<Group[]>({ queryKey: [...datasetsKey(workspace), 'groups'] }, (groups) => groups?.filter((group) => group.id !== id))
    void queryClient.invalidateQueries({ queryKey: [...datasetsKey(workspace), 'groups'] })
    return true
  }
}

/** Creates a draft, empty or with the rows of a version. Resolves to its id. */
export function useCreateDraft(group: number) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: async (source: Dataset | null) => {
      const body = { dataset_group_id: group, source_dataset_id: source?.id ?? null }
      const { draft_dataset_id } = await call(api.POST('/api/public/v2/dataset-versions/create-draft', { body }))
      await queryClient.invalidateQueries({ queryKey: groupKey(workspace, group) })
      return draft_dataset_id
    },
    onSuccess: (_, source) => toast.done(source ? `Draft created from version ${source.version_number}` : 'Empty draft created'),
    onError: toast.failed,
  })
}

/** Turns the draft into a version, which keeps its id. Resolves to the id. */
export function useSaveDraft(group: number) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: async () => {
      const { draft_dataset_id } = await call(api.POST('/api/public/v2/dataset-versions/save-draft', { body: { dataset_group_id: group } }))
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: groupKey(workspace, group) }),
        queryClient.invalidateQueries({ queryKey: rowsKey(workspace, draft_dataset_id) }),
        queryClient.invalidateQueries({ queryKey: [...datasetsKey(workspace), 'groups'] }),
      ])
      return draft_dataset_id
    },
    onError: toast.failed,
  })
}
