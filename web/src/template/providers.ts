import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The providers that the server can call, and the models which it knows of each. */
export function providersQuery(workspace: number) {
  return queryOptions({
    queryKey: ['w', workspace, 'providers'],
    queryFn: async () => (await call(api.GET('/api/public/v2/providers'))).providers,
    staleTime: 60_000,
  })
}
