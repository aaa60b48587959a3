import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

export type EnvVar = Schemas['WorkspaceEnvVar']

function envVarsQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'env-vars'],
    queryFn: async () => (await call(api.GET('/api/public/v2/env-vars'))).workspace_env_vars,
  })
}

/** The environment variables of the workspace, without their values. */
export function useEnvVars() {
  return useQuery(envVarsQuery(useSession().workspace_id))
}

/** Reloads what depends on the variables, which also decide which providers can be called. */
function useRefresh(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(['env-vars', 'providers'].map((area) => queryClient.invalidateQueries({ queryKey: ['w', workspace_id, area] })))
  }
}

/** Sets a new or existing variable. */
export function useSetEnvVar() {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ key, value }: { key: string; value: string }) => {
      const there = queryClient.getQueryData(envVarsQuery(workspace_id).queryKey)?.find((variable) => variable.key === key)
      if (there) await call(api.PATCH('/api/public/v2/env-vars/{var_id}', { params: { path: { var_id: there.id } }, body: { value } }))
      else await call(api.POST('/api/public/v2/env-vars', { body: { key, ...(value === '' ? {} : { value }) } }))
      return there !== undefined
    },
    onSuccess: async (replaced, { key }) => {
      toast.done(replaced ? `${key} updated` : `${key} added`)
      await refresh()
    },
  })
}

/** Returns a function that deletes a variable after confirmation. */
export function useDeleteEnvVar(): (variable: EnvVar, consequence: string) => Promise<void> {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefresh()
  return async (variable, consequence) => {
    const ok = await confirm({ title: `Delete ${variable.key}?`, body: `This cannot be undone. ${consequence}`, action: 'Delete', danger: true })
    if (!ok) return
    try {
      await call(api.DELETE('/api/public/v2/env-vars/{var_id}', { params: { path: { var_id: variable.id } } }))
      toast.done(`${variable.key} deleted`)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
}
