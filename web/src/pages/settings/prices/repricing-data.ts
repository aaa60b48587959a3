import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { useRefreshPrices } from './price-data'
import { isActive } from './repricing-words'

export type Repricing = Schemas['RepricingItem']
export type RepricingRequest = Schemas['RepricingRequest']

const pageSize = 20

/** A page of the re-pricings, the newest first. While one is active, it is reloaded every second. */
export function useRepricings(page: number) {
  const { workspace_id } = useSession()
  return useQuery({
    queryKey: ['w', workspace_id, 'prices', 'repricings', page],
    queryFn: () => call(api.GET('/api/public/v2/prices/repricings', { params: { query: { page, per_page: pageSize } } })),
    refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? 1000 : false),
  })
}

export function usePreview() {
  return useMutation({ mutationFn: (body: RepricingRequest) => call(api.POST('/api/public/v2/prices/repricings/preview', { body })) })
}

export function useStartRepricing() {
  const refresh = useRefreshPrices()
  return useMutation({
    mutationFn: (body: RepricingRequest) => call(api.POST('/api/public/v2/prices/repricings', { body })),
    onSuccess: refresh,
  })
}

/** Reloads everything that shows costs. */
export function useRefreshCosts(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['w', workspace_id] })
}

/** Returns functions that cancel and revert a re-pricing after confirmation. */
export function useEndRepricing(): { cancel: (one: Repricing) => Promise<void>; revert: (one: Repricing) => Promise<void> } {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefreshPrices()
  const send = async (operation: Promise<unknown>) => {
    try {
      await operation
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
  const path = ({ id }: Repricing) => ({ params: { path: { repricing_id: id } } })
  return {
    cancel: async (one) => {
      const ok = await confirm({ title: 'Cancel the re-pricing?', body: 'Requests that were priced keep their new price. You can revert it afterwards.', action: 'Cancel re-pricing', danger: true })
      if (ok) await send(call(api.POST('/api/public/v2/prices/repricings/{repricing_id}/cancel', path(one))))
    },
    revert: async (one) => {
      const ok = await confirm({
        title: 'Revert the re-pricing?', body: 'The requests get back the price that they were logged with. Those that were priced again since keep their price.', action: 'Revert', danger: true,
      })
      if (ok) await send(call(api.POST('/api/public/v2/prices/repricings/{repricing_id}/revert', path(one))))
    },
  }
}
