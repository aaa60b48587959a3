import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { bodyOf, type Draft, type SavedExport } from './export-form'

/** How often lists with active runs are read again, in milliseconds. */
const refreshEvery = 1000
const pageSize = 20

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'exports']
}

const isActive = (run: { ended_at: string | null } | null) => run !== null && run.ended_at === null

/** The saved exports of the workspace, and what the server allows. */
export function useExports() {
  return useQuery({
    queryKey: [...useKey(), 'list'],
    queryFn: () => call(api.GET('/api/public/v2/exports')),
    refetchInterval: ({ state }) => (state.data?.exports.some(({ last_run }) => isActive(last_run)) ? refreshEvery : 30 * refreshEvery),
  })
}

/** A page of the runs of an export. */
export function useRuns(id: number, page: number) {
  return useQuery({
    queryKey: [...useKey(), 'runs', id, page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/exports/{export_id}/runs', { params: { path: { export_id: id }, query: { page, per_page: pageSize } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isActive) ? refreshEvery : false),
  })
}

function useRefresh(): () => Promise<void> {
  const key = useKey()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: key })
}

const at = (id: number) => ({ params: { path: { export_id: id } } })

/** Creates an export. */
export function useCreateExport() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (draft: Draft) => call(api.POST('/api/public/v2/exports', { body: { ...bodyOf(draft), enabled: true } })), onSuccess: refresh })
}

/** Changes an export. */
export function useChangeExport(id: number) {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (draft: Draft) => call(api.PATCH('/api/public/v2/exports/{export_id}', { ...at(id), body: bodyOf(draft) })), onSuccess: refresh })
}

/** What the menu of an export does. Each function reports how it went. */
export function useExportActions() {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefresh()
  const act = async (operation: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await operation()
      toast.done(done)
    } catch (error) {
      toast.failed(error)
    } finally {
      await refresh()
    }
  }
  return {
    run: ({ id, name }: SavedExport) => act(() => call(api.POST('/api/public/v2/exports/{export_id}/run', at(id))), `Export ${name} started`),
    setEnabled: ({ id, name }: SavedExport, enabled: boolean) =>
      act(() => call(api.PATCH('/api/public/v2/exports/{export_id}', { ...at(id), body: { enabled } })), `Export ${name} ${enabled ? 'enabled' : 'disabled'}`),
    async cancel({ id, name, incremental }: SavedExport): Promise<void> {
      const kept = incremental ? 'Files that are complete stay, and what is in them is not exported again.' : 'The files of this run are removed.'
      if (await confirm({ title: `Cancel the run of ${name}?`, body: kept, action: 'Cancel run', danger: true })) {
        await act(() => call(api.POST('/api/public/v2/exports/{export_id}/cancel', at(id))), `The run of ${name} ends`)
      }
    },
    async remove({ id, name }: SavedExport): Promise<void> {
      if (await confirm({ title: `Delete export ${name}?`, body: 'Its history is deleted, too. The files that it has written stay. This cannot be undone.', action: 'Delete', danger: true })) {
        await act(() => call(api.DELETE('/api/public/v2/exports/{export_id}', at(id))), `Export ${name} deleted`)
      }
    },
  }
}
