import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { evaluationsKey } from '@/evaluation/data'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Asks, then archives an evaluation or a run. Resolves to whether it did. */
export function useArchive() {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ id, name, is_blueprint }: { id: number; name: string; is_blueprint: boolean }): Promise<boolean> => {
    const noun = is_blueprint ? 'evaluation' : 'run'
    const body = is_blueprint
      ? `${name} can be neither run nor changed any more. It and its runs stay readable among the archived ones. There is no way back.`
      : `The run ${name} is no longer listed. Its cells and score stay readable under its address. There is no way back.`
    if (!(await confirm({ title: `Archive the ${noun} ${name}?`, body, action: 'Archive', danger: true }))) return false
    try {
      await call(api.DELETE('/reports/{report_id}', { params: { path: { report_id: id } } }))
    } catch (error) {
      toast.failed(error)
      return false
    }
    toast.done(`${name} was archived`)
    await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
    return true
  }
}
