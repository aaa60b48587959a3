import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

const staleTime = 60_000

/** The prompts that a node can use, by name. */
export function promptsQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'prompts', 'for-workflows'],
    queryFn: async ({ signal }) => (await call(api.GET('/prompt-templates', { params: { query: { per_page: 1000, is_snippet: false, sort_by: 'name', sort_order: 'asc' } }, signal }))).items,
    staleTime,
  })
}

/** The latest versions of a prompt with their labels. */
export function promptVersionsQuery(workspace: number, id: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'prompts', id, 'versions-for-workflows'],
    queryFn: async ({ signal }) => (await call(api.GET('/prompt-templates/{identifier}/versions', { params: { path: { identifier: String(id) }, query: { per_page: 100 } }, signal }))).items,
    staleTime,
  })
}

export interface PromptVersion {
  number: number
  commit_message: string | null
  release_labels: { name: string }[]
}

/** A version of a prompt, for its variables. */
export function promptQuery(workspace: number, id: number, version: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'prompts', id, 'version-for-workflows', version],
    queryFn: ({ signal }) => call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier: String(id) }, query: { version } }, signal })),
    staleTime,
  })
}
