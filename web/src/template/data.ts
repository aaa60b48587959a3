import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'

export type Entity = Schemas['EntityItem']
export type Prompt = Schemas['RawPrompt']
export type Version = Schemas['PromptVersionItem']
export type Label = Schemas['LabelItem']
export type ABTest = Schemas['AbTestItem']
export type ABTestArm = Schemas['AbTestVersion']
export type Estimate = Schemas['Estimate']

/** The prefix of all query keys about prompts and folders, so that a change can invalidate all of them. */
export function promptsKey(workspace: number) {
  return ['w', workspace, 'prompts'] as const
}

export interface Listing {
  folder?: number
  q?: string
  sort: 'updated' | 'created' | 'name'
}

const prompts: ('PROMPT' | 'SNIPPET')[] = ['PROMPT', 'SNIPPET']

/** The contents of a folder or, with a search, everything below it that matches. */
export function entitiesQuery(workspace: number, { folder, q, sort }: Listing) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), 'entities', { folder, q, sort }],
    queryFn: async () => {
      const query = {
        folder_id: folder,
        filter_type: q ? prompts : [...prompts, 'FOLDER' as const],
        include_metadata: true,
        sort_by: sort === 'name' ? ('name' as const) : sort === 'created' ? ('created_at' as const) : ('updated_at' as const),
        sort_order: sort === 'name' ? ('asc' as const) : ('desc' as const),
        ...(q ? { search_query: q, flatten: true } : {}),
      }
      return (await call(api.GET('/api/public/v2/folders/entities', { params: { query } }))).entities
    },
    placeholderData: (previous) => previous,
  })
}

/** A stored version with snippets unresolved. Defaults to the latest version. */
export function promptQuery(workspace: number, prompt: string, version?: number) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), prompt, 'version', version ?? 'latest'],
    queryFn: () => call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier: prompt }, query: { version, resolve_snippets: false } } })),
  })
}

/** The versions of a template, newest first, page by page. */
export function versionsQuery(workspace: number, prompt: string) {
  return infiniteQueryOptions({
    queryKey: [...promptsKey(workspace), prompt, 'versions'],
    queryFn: ({ pageParam }) => call(api.GET('/prompt-templates/{identifier}/versions', { params: { path: { identifier: prompt }, query: { page: pageParam, per_page: 100 } } })),
    initialPageParam: 1,
    getNextPageParam: (last) => last.next_num ?? undefined,
  })
}

export function labelsQuery(workspace: number, prompt: string) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), prompt, 'labels'],
    queryFn: async () => (await call(api.GET('/prompt-templates/{identifier}/labels', { params: { path: { identifier: prompt } } }))).release_labels,
    staleTime: 30_000,
  })
}

export function abTestsQuery(workspace: number, prompt: number) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), String(prompt), 'ab-tests'],
    queryFn: async () => (await call(api.GET('/api/public/v2/ab-tests', { params: { query: { prompt_id: prompt } } }))).ab_tests,
  })
}

/** How the versions of a test compare; it follows the requests that come in. */
export function abTestResultsQuery(workspace: number, test: ABTest) {
  return queryOptions({
    // A key of its own: the end of a test must not fetch its results once more.
    queryKey: ['ab-test-results', workspace, test.id, test.updated_at],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/ab-tests/{ab_test_id}/results', { params: { path: { ab_test_id: test.id } }, signal })),
    refetchInterval: 30_000,
  })
}

export function snippetUsageQuery(workspace: number, prompt: string) {
  return queryOptions({
    queryKey: [...promptsKey(workspace), prompt, 'snippet-usage'],
    queryFn: () => call(api.GET('/prompt-templates/{identifier}/snippet-usage', { params: { path: { identifier: prompt } } })),
  })
}
