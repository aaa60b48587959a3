import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { isActive } from './words'

export type Deletion = Schemas['DeletionItem']
export type Selection = Schemas['DeletionRequest']

const pageSize = 20
/** The time between two looks at a deletion that goes on, in ms. */
const lookEvery = 1000

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'deletions']
}

/** What a deletion would delete. It is counted anew each time that it is asked for. */
export function usePreview(selection: Selection, wanted: boolean) {
  return useQuery({
    queryKey: [...useKey(), 'preview', selection],
    queryFn: ({ signal }) => call(api.POST('/api/public/v2/deletions/preview', { body: selection, signal })),
    enabled: wanted, retry: false, gcTime: 0, staleTime: 0, refetchOnWindowFocus: false,
  })
}

/** Starts a deletion of at most the expected number of requests. */
export function useStartDeletion() {
  const key = useKey()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: Schemas['CreateDeletionRequest']) => (await call(api.POST('/api/public/v2/deletions', { body }))).deletion,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...key, 'list'] }),
  })
}

/** A deletion, reloaded while it goes on. */
export function useDeletion(id: number | undefined) {
  return useQuery({
    queryKey: [...useKey(), 'one', id],
    queryFn: async () => (await call(api.GET('/api/public/v2/deletions/{deletion_id}', { params: { path: { deletion_id: id ?? 0 } } }))).deletion,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isActive(state.data) ? lookEvery : false),
  })
}

/** A page of the deletions, the newest first, reloaded while one goes on. */
export function useDeletions(page: number, allowed: boolean) {
  return useQuery({
    queryKey: [...useKey(), 'list', page],
    queryFn: () => call(api.GET('/api/public/v2/deletions', { params: { query: { page, per_page: pageSize } } })),
    enabled: allowed,
    refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? lookEvery : false),
  })
}

/** Returns a function that cancels a deletion after confirmation. */
export function useCancelDeletion(): (one: Deletion) => Promise<void> {
  const key = useKey()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ id }) => {
    const ok = await confirm({ title: 'Cancel the deletion?', body: 'Requests already deleted cannot be restored. The other requests are kept.', action: 'Cancel deletion', danger: true })
    if (!ok) return
    try {
      await call(api.POST('/api/public/v2/deletions/{deletion_id}/cancel', { params: { path: { deletion_id: id } } }))
    } catch (error) {
      toast.failed(error)
    }
    await queryClient.invalidateQueries({ queryKey: key })
  }
}
