import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'

export type ToolItem = Schemas['ToolItem']
export type Tool = Schemas['ToolRecord']
export type Execution = Schemas['ToolExecution']
export type EnvVar = Schemas['ToolEnvVar']

/** The prefix of all query keys about the tools of a workspace. */
export const toolsKey = (workspace: number) => ['w', workspace, 'tools'] as const
export const toolKey = (workspace: number, id: number) => [...toolsKey(workspace), id] as const

export const toolPath = (id: number) => ({ path: { identifier: String(id) } })

/** All tools, last updated first. */
export function toolsQuery(workspace: number) {
  return queryOptions({
    queryKey: [...toolsKey(workspace), 'list'],
    queryFn: async ({ signal }) => (await call(api.GET('/api/public/v2/tool-registry', { params: { query: { sort_by: 'updated_at', sort_order: 'desc' } }, signal }))).tool_registries,
  })
}

/** A tool with one of its versions. Defaults to the latest. */
export function toolQuery(workspace: number, id: number, version?: number) {
  return queryOptions({
    queryKey: [...toolKey(workspace, id), 'version', version ?? 'latest'],
    queryFn: async ({ signal }) => {
      const query = version === undefined ? {} : { version: String(version) }
      return (await call(api.GET('/api/public/v2/tool-registry/{identifier}', { params: { ...toolPath(id), query }, signal }))).tool_registry
    },
    staleTime: version === undefined ? 10_000 : 60_000,
  })
}

export function versionsQuery(workspace: number, id: number, page = 1) {
  return queryOptions({
    queryKey: [...toolKey(workspace, id), 'versions', page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/tool-registry/{identifier}/versions', { params: { ...toolPath(id), query: { page, per_page: 100 } }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Returns a function that reloads all tools. */
export function useRefreshTools(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: toolsKey(workspace_id) })
}
