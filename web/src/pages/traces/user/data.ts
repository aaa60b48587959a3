import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The totals of a user, null if no trace has that user. */
export function userQuery(workspace: number, id: string) {
  return queryOptions({
    queryKey: ['w', workspace, 'traces', 'user', id],
    queryFn: async ({ signal }) => {
      const filters = [{ field: 'trace_run_by_user_id' as const, operator: 'is' as const, value: id }]
      return (await call(api.POST('/api/public/v2/users/search', { body: { filters, page: 1, per_page: 1 }, signal }))).items[0] ?? null
    },
  })
}
