import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import type { Search } from '../search'
import { bodyOf, type Delivery, type Draft, type Webhook } from './webhook-form'

const pageSize = 30
/** How often lists with pending deliveries are read again, in milliseconds. */
const refreshEvery = 2000

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'webhooks']
}

/** The webhooks of the workspace, and the events that they can choose. */
export function useWebhooks() {
  return useQuery({
    queryKey: [...useKey(), 'list'],
    queryFn: () => call(api.GET('/api/public/v2/webhooks')),
    refetchInterval: ({ state }) => (state.data?.webhooks.some(({ pending, enabled }) => enabled && pending > 0) ? refreshEvery : false),
  })
}

/** A page of deliveries, as filtered by the URL. */
export function useDeliveries({ webhook, state: wanted, page = 1 }: Search) {
  return useQuery({
    queryKey: [...useKey(), 'deliveries', webhook ?? 0, wanted ?? '', page],
    queryFn: ({ signal }) => call(api.GET('/api/public/v2/webhook-deliveries', { params: { query: { webhook_id: webhook, state: wanted, page, per_page: pageSize } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.deliveries.some((one) => one.state === 'pending') ? refreshEvery : false),
  })
}

/** A delivery with what is sent. */
export function useDelivery(id: number) {
  return useQuery({
    queryKey: [...useKey(), 'delivery', id],
    queryFn: async () => (await call(api.GET('/api/public/v2/webhook-deliveries/{delivery_id}', { params: { path: { delivery_id: id } } }))).delivery,
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? refreshEvery : false),
  })
}

function useRefresh(): () => Promise<void> {
  const key = useKey()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: key })
}

const at = (id: number) => ({ params: { path: { webhook_id: id } } })

/** Creates a webhook. The response has its secret. */
export function useCreateWebhook() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (draft: Draft) => call(api.POST('/api/public/v2/webhooks', { body: { ...bodyOf(draft), enabled: true } })), onSuccess: refresh })
}

/** Changes a webhook. */
export function useChangeWebhook(id: number) {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (draft: Draft) => call(api.PATCH('/api/public/v2/webhooks/{webhook_id}', { ...at(id), body: bodyOf(draft) })), onSuccess: refresh })
}

/** What the menu of a webhook does. Each function reports how it went. */
export function useWebhookActions() {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefresh()
  const act = async <T>(operation: () => Promise<T>, done?: string): Promise<T | undefined> => {
    try {
      const answer = await operation()
      if (done !== undefined) toast.done(done)
      return answer
    } catch (error) {
      toast.failed(error)
      return undefined
    } finally {
      await refresh()
    }
  }
  return {
    setEnabled: ({ id, name }: Webhook, enabled: boolean) =>
      act(() => call(api.PATCH('/api/public/v2/webhooks/{webhook_id}', { ...at(id), body: { enabled } })), `Webhook ${name} ${enabled ? 'enabled' : 'disabled'}`),
    /** Sends a test event and returns its delivery. */
    test: async ({ id }: Webhook): Promise<Delivery | undefined> => (await act(() => call(api.POST('/api/public/v2/webhooks/{webhook_id}/test', at(id)))))?.delivery,
    /** Rotates the secret after confirmation, and returns the new one. */
    async rotate({ id, name }: Webhook): Promise<string | undefined> {
      const ok = await confirm({
        title: `Rotate the secret of ${name}?`,
        body: 'Deliveries are signed with the new secret immediately, also those that are pending. Receivers that verify signatures refuse them until they have it.',
        action: 'Rotate',
        danger: true,
      })
      return ok ? (await act(() => call(api.POST('/api/public/v2/webhooks/{webhook_id}/secret', at(id)))))?.secret : undefined
    },
    async remove({ id, name }: Webhook): Promise<void> {
      const ok = await confirm({ title: `Delete webhook ${name}?`, body: 'Its deliveries are deleted, too, and pending ones are not sent. This cannot be undone.', action: 'Delete', danger: true })
      if (ok) await act(() => call(api.DELETE('/api/public/v2/webhooks/{webhook_id}', at(id))), `Webhook ${name} deleted`)
    },
    redeliver: ({ id }: Delivery) =>
      act(() => call(api.POST('/api/public/v2/webhook-deliveries/{delivery_id}/redeliver', { params: { path: { delivery_id: id } } })), 'The event is delivered again'),
  }
}
