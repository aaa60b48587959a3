import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import type { Rules } from './rules'

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'retention']
}

/** The rules of the workspace. */
export function useRetention() {
  return useQuery({ queryKey: useKey(), queryFn: () => call(api.GET('/api/public/v2/retention')) })
}

/** Replaces all rules. */
export function useSetRetention() {
  const key = useKey()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (rules: Rules) => call(api.PUT('/api/public/v2/retention', { body: rules })),
    onSuccess: (stored) => queryClient.setQueryData(key, stored),
  })
}

/** What rules would delete now. */
export function usePreviewRetention() {
  return useMutation({ mutationFn: (rules: Rules) => call(api.POST('/api/public/v2/retention/preview', { body: rules })) })
}
