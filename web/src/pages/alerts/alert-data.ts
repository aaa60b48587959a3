import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { type Alert, type Draft, isWhole, restOf, watchedOf } from './alert-form'

/** How often the list is read again, in milliseconds: states change on their own. */
const refreshEvery = 15_000
const pageSize = 20

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'alerts']
}

/** The alerts of the workspace with their states. */
export function useAlerts() {
  return useQuery({
    queryKey: [...useKey(), 'list'],
    queryFn: async () => (await call(api.GET('/api/public/v2/alerts'))).alerts,
    // A new alert is evaluated within a second or two.
    refetchInterval: ({ state }) => (state.data?.some(({ enabled, evaluated_at }) => enabled && evaluated_at === null) ? 1000 : refreshEvery),
  })
}

/** A page of the history of an alert. */
export function useHistory(id: number, page: number) {
  return useQuery({
    queryKey: [...useKey(), 'history', id, page],
    queryFn: () => call(api.GET('/api/public/v2/alerts/{alert_id}/history', { params: { path: { alert_id: id }, query: { page, per_page: pageSize } } })),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
}

/** The number of windows that a preview shows. */
export const previewed = 12

/** What the alert of a form would find now and in the windows before. */
export function usePreview(draft: Draft) {
  const { workspace_id } = useSession()
  const settled = useDeferredValue(draft)
  const body = isWhole(settled) ? { ...watchedOf(settled), windows: previewed } : null
  return useQuery({
    queryKey: ['w', workspace_id, 'alert-preview', body],
    queryFn: async ({ signal }) => {
      // Typing makes many of these; only the last one is sent.
      await new Promise((resolve) => setTimeout(resolve, 400))
      signal.throwIfAborted()
      return (await call(api.POST('/api/public/v2/alerts/preview', { body: body as never, signal }))).windows
    },
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  })
}

function useRefresh(): () => Promise<void> {
  const key = useKey()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: key })
}

const at = (id: number) => ({ params: { path: { alert_id: id } } })

/** Creates an alert, or changes the one with the id. */
export function useSaveAlert(id: number | null) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (draft: Draft) => {
      const { remind, ...rest } = restOf(draft)
      const whole = { ...watchedOf(draft), ...rest }
      return id === null
        ? call(api.POST('/api/public/v2/alerts', { body: { ...whole, enabled: true, ...(remind === null ? {} : { remind_hours: remind }) } as never }))
        : call(api.PATCH('/api/public/v2/alerts/{alert_id}', { ...at(id), body: { ...whole, remind_hours: remind ?? 0 } as never }))
    },
    onSuccess: refresh,
  })
}

/** What the menu of an alert does. Each function reports how it went. */
export function useAlertActions() {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefresh()
  const act = async (operation: () => Promise<unknown>, done: string) => {
    try {
      await operation()
      toast.done(done)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
  return {
    setEnabled: ({ id, name }: Alert, enabled: boolean) =>
      act(() => call(api.PATCH('/api/public/v2/alerts/{alert_id}', { ...at(id), body: { enabled } })), `${name} ${enabled ? 'enabled' : 'disabled'}`),
    async remove({ id, name }: Alert) {
      const ok = await confirm({ title: `Delete ${name}?`, body: 'Its history is deleted, too. This cannot be undone.', action: 'Delete', danger: true })
      if (ok) await act(() => call(api.DELETE('/api/public/v2/alerts/{alert_id}', at(id))), `${name} deleted`)
    },
  }
}
