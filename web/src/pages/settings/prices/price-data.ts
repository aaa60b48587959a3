import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { download } from '@/lib/download'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { changeBody, createBody, type Draft, importBody, type Price } from './price-form'

const pageSize = 100

/** A page of the custom prices. */
export function useCustomPrices(page: number) {
  const { workspace_id } = useSession()
  return useQuery({
    queryKey: ['w', workspace_id, 'prices', 'custom', page],
    queryFn: () => call(api.GET('/api/public/v2/prices', { params: { query: { source: 'custom', page, per_page: pageSize } } })),
    placeholderData: keepPreviousData,
  })
}

/** The list prices that come with the program. */
export function useListPrices() {
  const { workspace_id } = useSession()
  return useQuery({
    queryKey: ['w', workspace_id, 'prices', 'list'],
    queryFn: async () => (await call(api.GET('/api/public/v2/prices', { params: { query: { source: 'builtin', per_page: 1000 } } }))).items,
  })
}

/** The models whose requests have no price. */
export function useUnpriced() {
  const { workspace_id } = useSession()
  return useQuery({
    queryKey: ['w', workspace_id, 'prices', 'unpriced'],
    queryFn: async () => (await call(api.GET('/api/public/v2/prices/unpriced'))).models,
  })
}

/** Reloads what depends on prices. */
export function useRefreshPrices(): () => Promise<void> {
  const { workspace_id } = useSession()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['w', workspace_id, 'prices'] })
}

/** Creates a price, or changes the one with the id. */
export function useSavePrice(id: number | null) {
  const toast = useToast()
  const refresh = useRefreshPrices()
  return useMutation({
    mutationFn: (draft: Draft) =>
      id === null
        ? call(api.POST('/api/public/v2/prices', { body: createBody(draft) }))
        : call(api.PATCH('/api/public/v2/prices/{price_id}', { params: { path: { price_id: id } }, body: changeBody(draft) })),
    onSuccess: async ({ price }) => {
      toast.done(`Price of ${price.model} saved`)
      await refresh()
    },
  })
}

/** Returns a function that deletes a custom price after confirmation. */
export function useDeletePrice(): (price: Price) => Promise<void> {
  const confirm = useConfirm()
  const toast = useToast()
  const refresh = useRefreshPrices()
  return async ({ id, model }) => {
    const ok = await confirm({ title: `Delete the price of ${model}?`, body: 'Requests that are logged from now on get the list price, if there is one. Logged requests keep their price.', action: 'Delete', danger: true })
    if (!ok || id === null) return
    try {
      await call(api.DELETE('/api/public/v2/prices/{price_id}', { params: { path: { price_id: id } } }))
      toast.done(`Price of ${model} deleted`)
    } catch (error) {
      toast.failed(error)
    }
    await refresh()
  }
}

/** Imports a file of prices. */
export function useImportPrices() {
  const toast = useToast()
  const refresh = useRefreshPrices()
  return useMutation({
    mutationFn: async (file: File) => call(api.POST('/api/public/v2/prices/import', { body: importBody(await file.text()) })),
    onSuccess: async ({ imported }) => {
      toast.done(`${imported} prices imported`)
      await refresh()
    },
    onError: toast.failed,
  })
}

/** Downloads the custom prices. Not a plain link, because a header selects the workspace. */
export function useExportPrices() {
  const toast = useToast()
  return useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const file: unknown = await call(api.GET('/api/public/v2/prices/export', { params: { query: { format, source: 'custom' } }, parseAs: 'blob' }))
      if (!(file instanceof Blob)) throw new Error('The server did not return a file')
      download(`prices.${format}`, file)
    },
    onError: toast.failed,
  })
}
