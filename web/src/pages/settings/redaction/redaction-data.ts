import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import type { Rule } from './rules'

function useKey() {
  const { workspace_id } = useSession()
  return ['w', workspace_id, 'redaction']
}

/** The rules of the workspace. */
export function useRedaction() {
  return useQuery({ queryKey: useKey(), queryFn: () => call(api.GET('/api/public/v2/redaction')) })
}

/** Replaces all rules. */
export function useSetRedaction() {
  const key = useKey()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (rules: Rule[]) => call(api.PUT('/api/public/v2/redaction', { body: { rules } })),
    onSuccess: (stored) => queryClient.setQueryData(key, stored),
  })
}

/** What rules would replace in the newest requests. */
export function usePreviewRedaction() {
  return useMutation({ mutationFn: (rules: Rule[]) => call(api.POST('/api/public/v2/redaction/preview', { body: { rules } })) })
}
