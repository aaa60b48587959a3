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
      save(entries, `audit-${new Date().toISOString().slice(0, 10)}.${format}`)
    },
    onError: toast.failed,
  })
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
