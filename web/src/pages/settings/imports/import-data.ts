import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, readError, type Schemas, sessionHeaders } from '@/api/client'
import { useSession } from '@/api/session'
import { type Import, importFilter, isActive, type ServerRequest } from './import-words'

/** How a file is read. */
export type Reading = Schemas['UpdateImportRequest']

const pageSize = 20
/** While a job runs, its progress is loaded this often, in milliseconds. */
const poll = 700

function importsKey(workspace: number) {
  return ['w', workspace, 'imports'] as const
}

/** A page of the imports, the newest first. */
export function useImports(page: number) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: [...importsKey(workspace), 'list', page],
    queryFn: () => call(api.GET('/api/public/v2/imports', { params: { query: { page, per_page: pageSize } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? poll : false),
  })
}

const pathOf = (id: number) => ({ params: { path: { import_id: id } } })

export function useImport(id: number) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: [...importsKey(workspace), 'one', id],
    queryFn: async () => (await call(api.GET('/api/public/v2/imports/{import_id}', pathOf(id)))).import,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? poll : false),
  })
}

/** The first rows as the import would read them now. */
export function usePreview({ id, columns, defaults, format }: Import) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: [...importsKey(workspace), 'preview', id, format, columns, defaults],
    queryFn: () => call(api.GET('/api/public/v2/imports/{import_id}/preview', pathOf(id))),
    placeholderData: keepPreviousData,
  })
}

/** Reloads the imports. */
export function useRefreshImports(): () => Promise<void> {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: importsKey(workspace) })
}

/** Sends a change of an import, and reloads the imports whatever the answer is. */
function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>, scope?: string) {
  const refresh = useRefreshImports()
  return useMutation({ mutationFn, onSettled: refresh, ...(scope === undefined ? {} : { scope: { id: scope } }) })
}

export function useReadDifferently(id: number) {
  // One after the other: the last change is the one that holds.
  return useChange((body: Reading) => call(api.PATCH('/api/public/v2/imports/{import_id}', { ...pathOf(id), body })), `read import ${id}`)
}

export function useCheck(id: number) {
  return useChange(() => call(api.POST('/api/public/v2/imports/{import_id}/check', pathOf(id))))
}

export function useStart(id: number) {
  return useChange((body: Schemas['StartImportRequest']) => call(api.POST('/api/public/v2/imports/{import_id}/start', { ...pathOf(id), body })))
}

export function useCancel(id: number) {
  return useChange(() => call(api.POST('/api/public/v2/imports/{import_id}/cancel', pathOf(id))))
}

export function useDelete() {
  return useChange((id: number) => call(api.DELETE('/api/public/v2/imports/{import_id}', pathOf(id))))
}

/** Creates an import from a server and starts its check. The problem says why the check was not started. */
export function useCreateFromServer() {
  return useChange(async (body: ServerRequest) => {
    const { id } = (await call(api.POST('/api/public/v2/imports/from-server', { body }))).import
    const problem = await call(api.POST('/api/public/v2/imports/{import_id}/check', pathOf(id))).then(() => null, (error: unknown) => error)
    return { id, problem }
  })
}

/** Creates an import for a file that is uploaded next. */
export async function createImport(name: string): Promise<Import> {
  return (await call(api.POST('/api/public/v2/imports', { body: { file_name: name } }))).import
}

/** The size of the parts that are uploaded. */
const partSize = 4 * 1024 * 1024

/** Uploads what the server does not have of a file yet. */
export async function uploadRest(id: number, file: File, onShare: (share: number) => void, signal: AbortSignal): Promise<void> {
  let { parts, size } = (await call(api.GET('/api/public/v2/imports/{import_id}', pathOf(id)))).import
  while (size < file.size) {
    onShare(size / file.size)
    const part = file.slice(size, size + partSize)
    const answer = await put(id, parts + 1, part, signal)
    parts = answer.parts
    size = answer.size
  }
  onShare(1)
}

async function put(id: number, number: number, part: Blob, signal: AbortSignal): Promise<Import> {
  const answer = await fetch(`/api/public/v2/imports/${id}/parts/${number}`, {
    method: 'PUT', body: part, signal, headers: { ...sessionHeaders('PUT'), 'Content-Type': 'application/octet-stream' },
  })
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw readError(answer.status, body)
  return (body as Schemas['ImportResponse']).import
}

/** Counts the requests that an import has brought and that are still there. */
export async function countImported(id: number): Promise<number> {
  return (await call(api.POST('/api/public/v2/deletions/preview', { body: { filters: [importFilter(id)] } }))).logs
}

/** Starts to delete the requests of an import, if there are not more of them than expected. */
export async function deleteImported(id: number, expected: number): Promise<number> {
  return (await call(api.POST('/api/public/v2/deletions', { body: { filters: [importFilter(id)], expected } }))).deletion.id
}

/** A deletion of requests, with its progress. */
export function useDeletion(id: number | null) {
  const { workspace_id: workspace } = useSession()
  return useQuery({
    queryKey: ['w', workspace, 'deletions', id],
    enabled: id !== null,
    queryFn: async () => (await call(api.GET('/api/public/v2/deletions/{deletion_id}', { params: { path: { deletion_id: id ?? 0 } } }))).deletion,
    refetchInterval: ({ state }) => (state.data && state.data.ended_at === null ? poll : false),
  })
}
