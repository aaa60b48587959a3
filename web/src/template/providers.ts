import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The providers that the server can call, with their known models. */
export function providersQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'providers'],
    queryFn: async () => (await call(api.GET('/api/public/v2/providers'))).providers,
    staleTime: 60_000,
  })
}
