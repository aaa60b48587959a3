import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { evaluationsKey } from '@/evaluation/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Asks for confirmation, then archives an evaluation or a run. Resolves to whether it did. */
export function useArchive() {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ id, name, is_blueprint }: { id: number; name: string; is_blueprint: boolean }): Promise<boolean> => {
    const noun = is_blueprint ? 'evaluation' : 'run'
    const body = is_blueprint
      ? `${name} can no longer be run or changed. You can still view it and its runs under archived evaluations. This cannot be undone.`
      : `Run ${name} will no longer be listed. You can still open it by its link. This cannot be undone.`
    if (!(await confirm({ title: `Archive ${noun} ${name}?`, body, action: 'Archive', danger: true }))) return false
    try {
      await call(api.DELETE('/reports/{report_id}', { params: { path: { report_id: id } } }))
    } catch (error) {
      toast.failed(error)
      return false
    }
    toast.done(`${name} archived`)
    await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
    return true
  }
}
