import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { toolKey, toolPath, type EnvVar } from '../data'

const envVarsKey = (workspace: number, tool: number) => [...toolKey(workspace, tool), 'env-vars']

/** The variables of a tool, without their values. */
export function useEnvVars(tool: number) {
  const { workspace_id } = useSession()
  return useQuery({
    queryKey: envVarsKey(workspace_id, tool),
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/tool-registry/{identifier}/env-vars', { params: toolPath(tool), signal }))).tool_env_vars,
  })
}

/** Adds a variable, or replaces its value. */
export function useSetEnvVar(tool: number) {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ there, key, value }: { there: EnvVar | null; key: string; value: string }) =>
      there === null
        ? call(api.POST('/api/public/v2/tool-registry/{identifier}/env-vars', { params: toolPath(tool), body: { key, ...(value === '' ? {} : { value }) } }))
        : call(api.PATCH('/api/public/v2/tool-registry/{identifier}/env-vars/{var_id}', { params: { path: { ...toolPath(tool).path, var_id: there.id } }, body: { value } })),
    onSuccess: async (_, { there, key }) => {
      toast.done(there === null ? `${key} added` : `${key} updated`)
      await queryClient.invalidateQueries({ queryKey: envVarsKey(workspace_id, tool) })
    },
  })
}

/** Returns a function that deletes a variable after confirmation. */
export function useDeleteEnvVar(tool: number): (variable: EnvVar) => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async (variable) => {
    const yes = await confirm({ title: `Delete ${variable.key}?`, body: 'This cannot be undone. The code will use the value of the workspace, if there is one.', action: 'Delete', danger: true })
    if (!yes) return
    try {
      await call(api.DELETE('/api/public/v2/tool-registry/{identifier}/env-vars/{var_id}', { params: { path: { ...toolPath(tool).path, var_id: variable.id } } }))
      toast.done(`${variable.key} deleted`)
    } catch (error) {
      toast.failed(error)
    }
    await queryClient.invalidateQueries({ queryKey: envVarsKey(workspace_id, tool) })
  }
}
