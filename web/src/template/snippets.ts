import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'

/** The names of all snippets of the workspace. */
function snippetNamesQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'prompts', 'snippet-names'],
    queryFn: async () => {
      const query = { filter_type: ['SNIPPET'], flatten: true, sort_by: 'name', sort_order: 'asc' } as const
      const { entities } = await call(api.GET('/api/public/v2/folders/entities', { params: { query: { ...query, filter_type: [...query.filter_type] } } }))
      return entities.map(({ name }) => name)
    },
    staleTime: 60_000,
  })
}

/** The snippet completions of the text editor: names, and the labels and versions of each. */
export function useSnippets(): { names: string[]; pins: (name: string) => Promise<string[]> } {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const names = useQuery(snippetNamesQuery(workspace)).data
  const pins = useCallback(
    async (name: string) => {
      try {
        const versions = await queryClient.fetchQuery({
          queryKey: ['w', workspace, 'prompts', name, 'pins'],
          queryFn: () => call(api.GET('/prompt-templates/{identifier}/versions', { params: { path: { identifier: name }, query: { per_page: 100 } } })),
          staleTime: 60_000,
        })
        const labels = versions.items.flatMap((version) => version.release_labels.map((label) => `label:${label.name}`))
        return [...labels.sort(), ...versions.items.map((version) => `version_number:${version.number}`)]
      } catch {
        // An unknown snippet has no completions.
        return []
      }
    },
    [queryClient, workspace],
  )
  return useMemo(() => ({ names: names ?? [], pins }), [names, pins])
}
