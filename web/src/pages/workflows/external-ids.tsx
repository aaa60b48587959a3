import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Button, IconButton } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { ErrorState, Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { workflowKey } from './data'

/** The names that other systems know a workflow by. */
export function ExternalIdsDialog({ workflow, open, onOpenChange }: { workflow: number; open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="External ids" description="What other systems call this workflow. A pair of source and id belongs to one entity only.">
      <ExternalIds workflow={workflow} />
    </Dialog>
  )
}

function ExternalIds({ workflow }: { workflow: number }) {
  const workspace = useSession().workspace_id
  const mayEdit = useMay('WORKFLOW_EDIT')
  const queryClient = useQueryClient()
  const toast = useToast()
  const queryKey = [...workflowKey(workspace, workflow), 'external-ids']
  const [source, setSource] = useState('')
  const [id, setId] = useState('')
  const ids = useQuery({ queryKey, queryFn: ({ signal }) => call(api.GET('/workflows/{workflow_id}/external-ids', { params: { path: { workflow_id: workflow } }, signal })) })
  const changed = () => queryClient.invalidateQueries({ queryKey: workflowKey(workspace, workflow) })
  const attach = useMutation({
    mutationFn: () => call(api.POST('/workflows/{workflow_id}/external-ids', { params: { path: { workflow_id: workflow } }, body: { source: source.trim(), external_id: id.trim() } })),
    onSuccess: () => {
      toast.done(`Attached ${id.trim()} of ${source.trim()}`)
      setId('')
      void changed()
    },
    onError: toast.failed,
  })
  const detach = useMutation({
    mutationFn: (pair: { source: string; external_id: string }) => call(api.DELETE('/workflows/{workflow_id}/external-ids/{source}/{external_id}', { params: { path: { workflow_id: workflow, ...pair } } })),
    onSuccess: (_, pair) => {
      toast.done(`Detached ${pair.external_id} of ${pair.source}`)
      void changed()
    },
    onError: toast.failed,
  })
  if (ids.isError) return <ErrorState error={ids.error} />
  if (ids.data === undefined) return <Loading />
  return (
    <div className="flex flex-col gap-4 pb-2">
      {ids.data.external_ids.length === 0 && <p className="text-faint">It has none.</p>}
      <ul className="flex flex-col gap-1">
        {ids.data.external_ids.map((pair) => (
          <li key={`${pair.source} ${pair.external_id}`} className="flex items-center gap-2 rounded border border-line px-2.5 py-1">
            <span className="text-dim">{pair.source}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-[13px]">{pair.external_id}</span>
            {mayEdit && <IconButton small label={`Detach ${pair.external_id}`} onClick={() => detach.mutate(pair)}><X /></IconButton>}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <form
          className="grid grid-cols-[1fr_1fr_auto] items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            attach.mutate()
          }}
        >
          <Field label="Source">{(control) => <Input {...control} required maxLength={128} placeholder="github" value={source} onChange={(event) => setSource(event.target.value)} />}</Field>
          <Field label="Id">{(control) => <Input {...control} required maxLength={512} value={id} onChange={(event) => setId(event.target.value)} />}</Field>
          <Button type="submit" busy={attach.isPending}><Plus /> Attach</Button>
        </form>
      )}
    </div>
  )
}
