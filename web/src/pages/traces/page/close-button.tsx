import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { api, call } from '@/api/client'
import { useMay } from '@/api/session'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { traceKey } from './trace-query'

/** Closes a trace, so that it takes no more spans. */
export function CloseButton({ workspace, id }: { workspace: number; id: string }) {
  const may = useMay('REQUEST_CREATE')
  const confirm = useConfirm()
  const toast = useToast()
  const queryClient = useQueryClient()
  const close = useMutation({
    mutationFn: () => call(api.POST('/api/public/v2/traces/{trace_id}/close', { params: { path: { trace_id: id } } })),
    onSuccess: () => toast.done('Trace closed'),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: traceKey(workspace, id) }),
  })
  const ask = async () => {
    if (await confirm({ title: 'Close this trace?', body: 'The trace becomes read-only; later spans are rejected. This cannot be undone.', action: 'Close trace', danger: true })) close.mutate()
  }
  return <Button small disabled={!may} busy={close.isPending} title={may ? 'Refuse spans that arrive later' : 'Your role does not allow you to close traces'} onClick={() => void ask()}><Lock /> Close trace</Button>
}
