import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { promptsKey } from '@/template/data'
import { providersQuery } from '@/template/providers'
import { readTemplate, type Message } from '@/template/types'
import type { SnippetRef } from '@/template/variables'

/** The names of all prompts, last updated first. */
export function promptNamesQuery(workspace: number) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), 'names'],
    queryFn: async ({ signal }) => {
      const query = { filter_type: ['PROMPT' as const], flatten: true, sort_by: 'updated_at' as const, sort_order: 'desc' as const }
      const { entities } = await call(api.GET('/api/public/v2/folders/entities', { params: { query }, signal }))
      return entities.map(({ id, name }) => ({ id: Number(id), name }))
    },
    staleTime: 30_000,
  })
}

/** Whether a provider can be called in this workspace; undefined while unknown. */
export function useConfigured(provider: string): boolean | undefined {
  const { workspace_id: workspace } = useSession()
  const providers = useQuery(providersQuery(workspace)).data
  // An unlisted provider can be called if the workspace sets its URL, which only a call can tell.
  return providers === undefined ? undefined : (providers.find(({ name }) => name === provider)?.configured ?? true)
}

/** The texts of snippets as messages, because their variables are variables of the prompt. */
export function useSnippetMessages(refs: SnippetRef[]): Message[] {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: [...promptsKey(workspace), 'snippet-messages', refs.map(({ tag }) => tag)],
    queryFn: () =>
      Promise.all(
        refs.map(async ({ name, version, label }): Promise<Message> => {
          // The warning of a run names a missing snippet.
          const found = await call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier: name }, query: { version, label } } })).catch(() => null)
          const template = readTemplate(found?.prompt_template)
          return template.type === 'completion' ? { role: 'user', content: template.content, template_format: template.template_format } : { role: 'user', content: [] }
        }),
      ),
    enabled: refs.length > 0,
    staleTime: 60_000,
  })
  return refs.length > 0 ? (data ?? []) : []
}
