import { download } from '@/lib/download'
import { useMutation } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useToast } from '@/ui/toast'
import { auditQuery } from './audit-query'
import { useSectionSearch } from './section'

/**
 * Downloads all matching entries. Not a plain link, because a header selects the
 * workspace.
 */
export function useAuditExport() {
  const [search] = useSectionSearch()
  const toast = useToast()
  return useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const entries: unknown = await call(api.GET('/api/admin/audit/export', { params: { query: { ...auditQuery(search), format } }, parseAs: 'blob' }))
      if (!(entries instanceof Blob)) throw new Error('The server did not return a file')
      download(`audit-${new Date().toISOString().slice(0, 10)}.${format}`, entries)
    },
    onError: toast.failed,
  })
}
